"""AmbigPrompt beside Fusion-in-Decoder on a synthetic world (AmbigPrompt, Tables 3, 5, Figure 5).

    scripts/bench ambigprompt [--seeds 0 1 2] [--systems NAME ...] [--share 1.0] [--work DIR]

Every system begins with the same reader of one answer and takes the same number of steps; only
`without-pretraining` takes fewer. A run is one system with one seed, which also decides the data;
runs that were measured before are not measured again, and what they share is kept in the work
folder. `--share` shortens every training, to try the benchmark out; such results aren't written.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import torch
from transformers import T5Config, T5ForConditionalGeneration

from benchmarks.results import read_result, write_result
from seminar.networks.papers.ambigprompt import reader as ambigprompt_reader
from seminar.networks.papers.ambigprompt.reader import AmbigPromptReader
from seminar.networks.papers.fusion import reader as fusion_reader
from seminar.networks.papers.fusion.decoding import DECODINGS, Decoding, fewer_ends, greedy, sample
from seminar.networks.papers.fusion.network import FusionInDecoder
from seminar.networks.papers.fusion.reader import FusionInput, FusionReader, GeneratedText
from seminar.networks.papers.fusion.texts import FusionText, Lengths
from seminar.training.loop.config import LoopConfig
from seminar.training.loop.run import Run, Task
from seminar.training.papers.ambigprompt import task as ambigprompt
from seminar.training.papers.ambigprompt.pseudo import pseudo_answers
from seminar.training.papers.ambigprompt.task import AmbigPromptConfig, AmbigPromptTask
from seminar.training.papers.fusion import task as fusion
from seminar.training.papers.fusion.examples import FusionExample
from seminar.training.papers.fusion.scores import set_scores
from seminar.training.papers.fusion.synthetic import World, one_answer, questions, vocabulary
from seminar.training.papers.fusion.task import FusionConfig, FusionTask

SIZE, BATCH, AT_ONCE = 64, 32, 100
LENGTHS = Lengths(passage=16, answer=16)
ONE, SEVERAL, TESTED, TRIED = 8_000, 250, 400, 100  # questions; 307,373 and 10,036 in the paper
AUXILIARY, READER, PRETRAINING, TUNING = 200, 150, 800, 200  # steps
RATE = 2e-3
END_SHARE = 0.2  # lambda, chosen on the tried questions of the first seed; 0.5 in the paper
WORLD = World()
PENALTIES = [0.5 * number for number in range(1, 17)]
THRESHOLDS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]

Answering = Callable[[Sequence[FusionInput]], list[list[GeneratedText]]]


@dataclass(frozen=True, slots=True)
class Setting:
    """One seed's data, and where its networks are kept."""

    seed: int
    folder: Path
    share: float

    def data(self, name: str, count: int) -> list[FusionExample]:
        return questions(WORLD, count, seed=self.seed, name=name)

    def one(self) -> list[FusionExample]:
        return one_answer(self.data("one", ONE), seed=self.seed)

    def loop(self, steps: int) -> LoopConfig:
        steps = max(1, round(self.share * steps))
        return LoopConfig(
            steps=steps,
            learning_rate=RATE,
            warmup_steps=min(20, steps),
            decay_steps=steps // 3,
            seed=self.seed,
            threads=1,
            hardware="cpu",
            log_steps=50,
        )


def trained(setting: Setting, name: str, make: Callable[[], Task[Any]], steps: int) -> Path:
    """The folder of a network, trained if it isn't there."""
    model = setting.folder / name / "model"
    if not model.exists():
        torch.manual_seed(setting.seed)
        run: Run[Any] = Run(make(), setting.loop(steps), setting.folder / name)
        run.train()
        run.export(model)
    return model


def auxiliary(setting: Setting) -> Path:
    """A reader of one passage (Eq. 8)."""

    def make() -> FusionTask:
        tokenizer = vocabulary(WORLD)
        shape = T5Config(
            vocab_size=len(tokenizer),
            d_model=SIZE,
            d_kv=SIZE // 4,
            d_ff=2 * SIZE,
            num_layers=2,
            num_heads=4,
            dropout_rate=0.0,
            pad_token_id=0,
            eos_token_id=1,
            decoder_start_token_id=0,
        )
        model = T5ForConditionalGeneration(shape)
        reader = FusionReader(FusionInDecoder(model), FusionText(tokenizer, model, LENGTHS))
        config = FusionConfig(form="passage", batch_size=2 * BATCH)
        return FusionTask(reader, config, setting.one(), seed=setting.seed)

    return trained(setting, "auxiliary", make, AUXILIARY)


def fid_task(setting: Setting, start: Path, form: str, data: list[FusionExample]) -> FusionTask:
    config = FusionConfig(
        form=form,
        passages=WORLD.passages,
        passage_tokens=LENGTHS.passage,
        answer_tokens=LENGTHS.answer,
        batch_size=BATCH,
        start_from=str(start),
    )
    return FusionTask(fusion.begin(config, seed=setting.seed), config, data, seed=setting.seed)


def reader(setting: Setting) -> Path:
    """The reader of one answer that all systems begin with."""
    start = auxiliary(setting)
    make = lambda: fid_task(setting, start, "answer", setting.one())  # noqa: E731
    return trained(setting, "reader", make, READER)


def one_answer_fid(setting: Setting) -> Path:
    """The reader, trained on for as long as AmbigPrompt is post-pretrained."""
    start = reader(setting)
    make = lambda: fid_task(setting, start, "answer", setting.one())  # noqa: E731
    return trained(setting, "fid-one", make, PRETRAINING)


def several_answers_fid(setting: Setting) -> Path:
    start = one_answer_fid(setting)
    make = lambda: fid_task(setting, start, "answers", setting.data("several", SEVERAL))  # noqa: E731
    return trained(setting, "fid", make, TUNING)


def prompt_task(
    setting: Setting, start: Path, prompting: str, pseudo: dict[str, list[str]] | None
) -> AmbigPromptTask:
    config = AmbigPromptConfig(
        stage=ambigprompt.TUNING if pseudo is None else ambigprompt.POST_PRETRAINING,
        prompting=prompting,
        passages=WORLD.passages,
        passage_tokens=LENGTHS.passage,
        answer_tokens=LENGTHS.answer,
        batch_size=BATCH,
        end_share=END_SHARE,
        start_from=str(start),
    )
    data = setting.data("several", SEVERAL) if pseudo is None else setting.one()
    begun = ambigprompt.begin(config, seed=setting.seed)
    return AmbigPromptTask(begun, config, data, pseudo=pseudo, seed=setting.seed)


def pseudo_of(setting: Setting) -> dict[str, list[str]]:
    """The auxiliary reader's answers, made once."""
    path = setting.folder / "pseudo-answers.json"
    if not path.exists():
        torch.manual_seed(setting.seed)
        aid = fusion_reader.load(auxiliary(setting))
        brief = FusionText(aid.text.tokenizer, aid.network.model, replace(LENGTHS, answer=3))
        aid = FusionReader(aid.network, brief, decode=sample, batch=10 * AT_ONCE)
        made = pseudo_answers(aid, setting.one(), passages=WORLD.passages)
        path.write_text(json.dumps(made), encoding="utf-8")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def pretrained(setting: Setting, prompting: str) -> Path:
    start = reader(setting)
    make = lambda: prompt_task(setting, start, prompting, pseudo_of(setting))  # noqa: E731
    return trained(setting, f"{prompting}-pretrained", make, PRETRAINING)


def tuned(setting: Setting, prompting: str, *, pretraining: bool = True) -> Path:
    start = pretrained(setting, prompting) if pretraining else reader(setting)
    name = prompting if pretraining else f"{prompting}-without-pretraining"
    return trained(setting, name, lambda: prompt_task(setting, start, prompting, None), TUNING)


def fid_answers(folder: Path, decode: Decoding = greedy) -> Answering:
    found = fusion_reader.load(folder)
    return FusionReader(found.network, found.text, decode=decode, batch=AT_ONCE).answers


def prompted_answers(folder: Path, least: float = 0.0) -> Answering:
    found = ambigprompt_reader.load(folder)
    return AmbigPromptReader(found.network, found.text, least=least, batch=AT_ONCE).answers


def said(answering: Answering, examples: Sequence[FusionExample]) -> list[list[str]]:
    asked = [one.input(len(one.passages)) for one in examples]
    return [[one.text for one in found] for found in answering(asked)]


def many_answers(setting: Setting) -> Answering:
    """FiD-multi: the end made improbable until as many answers come as AmbigPrompt gives."""
    tried = setting.data("tried", TRIED)
    wanted = sum(map(len, said(prompted_answers(tuned(setting, "interleaved")), tried)))
    folder = several_answers_fid(setting)

    def distance(penalty: float) -> int:
        return abs(wanted - sum(map(len, said(fid_answers(folder, fewer_ends(penalty)), tried))))

    return fid_answers(folder, fewer_ends(min(PENALTIES, key=distance)))


def without_tuning(setting: Setting) -> Answering:
    """Post-pretrained only, never told of [EOI]: it ends below a probability, as in appendix B."""
    tried, folder = setting.data("tried", TRIED), pretrained(setting, "interleaved")
    gold = [one.answers for one in tried]

    def score(least: float) -> float:
        return set_scores(gold, said(prompted_answers(folder, least), tried)).f1

    return prompted_answers(folder, max(THRESHOLDS, key=score))


def one_answer_answers(decode: Decoding, setting: Setting) -> Answering:
    """Fusion-in-Decoder that knows one answer a question, decoded so that it gives several."""
    return fid_answers(one_answer_fid(setting), decode)


SYSTEMS: dict[str, Callable[[Setting], Answering]] = {
    "fid": lambda at: fid_answers(several_answers_fid(at)),
    "ambigprompt": lambda at: prompted_answers(tuned(at, "interleaved")),
    "without-pretraining": lambda at: prompted_answers(tuned(at, "interleaved", pretraining=False)),
    "without-prompting": lambda at: prompted_answers(tuned(at, "learned")),
    "without-interleaving": lambda at: prompted_answers(tuned(at, "separate")),
    "fid-multi": many_answers,
    **{
        f"one-answer-{name}": partial(one_answer_answers, decode)
        for name, decode in DECODINGS.items()
    },
    "one-answer-ambigprompt": without_tuning,
}


def measure(system: str, setting: Setting) -> dict[str, object]:
    """One run: the scores on all questions and on those with several answers."""
    start = time.process_time()
    answering = SYSTEMS[system](setting)
    torch.manual_seed(setting.seed)
    tested = setting.data("tested", TESTED)
    found = said(answering, tested)
    several = [at for at, one in enumerate(tested) if len(one.answers) > 1]
    gold = [one.answers for one in tested]
    return {
        "full": asdict(set_scores(gold, found)),
        "multi": asdict(set_scores([gold[at] for at in several], [found[at] for at in several])),
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def summary(runs: dict[str, dict[str, dict[str, dict[str, float]]]]) -> dict[str, object]:
    """Mean and standard deviation over the seeds of every figure."""
    found: dict[str, object] = {}
    for system, seeds in runs.items():
        parts = {part: [run[part] for run in seeds.values()] for part in ("full", "multi")}
        found[system] = {
            part: {
                name: [
                    round(mean(one[name] for one in scores), 2),
                    round(stdev(one[name] for one in scores), 2) if len(scores) > 1 else None,
                ]
                for name in scores[0]
            }
            for part, scores in parts.items()
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--work", type=Path, help="where networks are kept (default: temporary)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    work = options.work or Path(tempfile.mkdtemp())
    whole = options.share == 1.0
    result = read_result("ambigprompt") if whole else {}
    runs = dict(result.get("runs", {}))
    for seed in options.seeds:
        setting = Setting(seed, work / f"seed-{seed}", options.share)
        for system in options.systems:
            if str(seed) in runs.get(system, {}):
                continue
            run = measure(system, setting)
            runs = {**runs, system: {**runs.get(system, {}), str(seed): run}}
            print(system, seed, json.dumps(run), flush=True)
            if whole:
                write_result(
                    "ambigprompt",
                    {"setting": described(), "runs": runs, "mean, deviation": summary(runs)},
                )


def described() -> dict[str, object]:
    """What was run, for whoever reads the figures."""
    return {
        "world": asdict(WORLD),
        "questions": {"one answer": ONE, "several": SEVERAL, "tested": TESTED, "tried": TRIED},
        "steps": {
            "auxiliary reader": AUXILIARY,
            "reader": READER,
            "pretraining": PRETRAINING,
            "tuning": TUNING,
        },
        "size": SIZE,
        "batch": BATCH,
        "learning rate": RATE,
        "lambda": END_SHARE,
    }


if __name__ == "__main__":
    main()
