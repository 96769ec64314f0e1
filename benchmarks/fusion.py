"""What Fusion-in-Decoder and AmbigPrompt cost (AmbigPrompt, Table 2), at tiny scale on one core.

    scripts/bench fusion [--repeats N]

Encoding is timed at growing numbers of passages, and the decoder's keys and values are counted.
Latency and memory of whole answers are measured with random weights, as the paper does for models
that it lacks: they depend on the lengths only. Both give the same answers: Fusion-in-Decoder all in
one pass, AmbigPrompt in one round each and a last one for [EOI]. They are timed in turn, so that a
busy machine slows both; peak memory needs a process each.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import torch
from transformers import PreTrainedModel

from benchmarks.results import peak_memory_mib, write_result
from seminar.networks.papers.ambigprompt.network import AmbigPrompt
from seminar.networks.papers.fusion.network import (
    Encoded,
    FusionInDecoder,
    fusion_backbone,
    generate,
)
from seminar.networks.papers.fusion.texts import Context, KnownAnswers

PASSAGES = [1, 5, 10, 20, 50]
TOKENS = 160  # a question and a passage of 100 words
ANSWERS, ANSWER_TOKENS = 2, 4  # AmbigQA has 2.2 answers a question
SYSTEMS = ("fid", "ambigprompt")


def context_of(passages: int) -> Context:
    draw = torch.Generator().manual_seed(0)
    ids = torch.randint(1000, 20_000, (1, passages, TOKENS), generator=draw)
    return Context(ids, torch.ones_like(ids, dtype=torch.bool))


def told_of(answers: int) -> KnownAnswers:
    ids = torch.full((1, answers * (ANSWER_TOKENS + 1)), 2000)
    return KnownAnswers(ids, torch.ones_like(ids, dtype=torch.bool), torch.tensor([answers]))


def generate_exactly(model: PreTrainedModel, encoded: Encoded, tokens: int) -> None:
    generate(model, encoded, tokens=tokens, min_new_tokens=tokens)


def answer(system: str, model: PreTrainedModel, context: Context) -> None:
    """All answers to one question."""
    with torch.no_grad():
        if system == "fid":
            encoded = FusionInDecoder(model).encode(context)
            generate_exactly(model, encoded, ANSWERS * (ANSWER_TOKENS + 1))
            return
        network = AmbigPrompt(model)
        for known in range(ANSWERS + 1):
            tokens = ANSWER_TOKENS + 1 if known < ANSWERS else 1  # [EOI] ends it
            generate_exactly(model, network.encode(context, told_of(known)), tokens)


def seconds(run: Callable[[], object], repeats: int) -> float:
    """The median CPU time, after one try to warm up."""
    run()
    found = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return median(found)


def encoding(model: PreTrainedModel, repeats: int) -> dict[str, dict[str, float]]:
    """Seconds to encode by the number of passages, and seconds for each passage."""
    network = FusionInDecoder(model)

    def spent(passages: int) -> dict[str, float]:
        context = context_of(passages)
        with torch.no_grad():
            found = seconds(lambda: network.encode(context), repeats)
        return {
            "seconds": round(found, 5),
            "milliseconds a passage": round(1e3 * found / passages, 3),
        }

    return {str(count): spent(count) for count in PASSAGES}


def decoder_bytes(model: PreTrainedModel) -> dict[str, dict[str, int]]:
    """Bytes of keys and values that the decoder keeps of the passages, and of its own tokens."""
    found = {}
    for count in PASSAGES:
        with torch.no_grad():
            encoded = FusionInDecoder(model).encode(context_of(count))
            kept = generate(
                model, encoded, tokens=8, min_new_tokens=8, return_dict_in_generate=True
            ).past_key_values
        parts = {"passages": kept.cross_attention_cache, "own tokens": kept.self_attention_cache}
        found[str(count)] = {
            name: sum(one.nbytes for layer in cache.layers for one in (layer.keys, layer.values))
            for name, cache in parts.items()
        }
    return found


def peak_of(system: str, passages: int) -> float:
    """Peak memory of one answer, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.fusion", "--one", system, str(passages)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def costs(model: PreTrainedModel, passages: int, repeats: int) -> dict[str, object]:
    """Both systems side by side, and how many times the second costs the first."""
    context = context_of(passages)
    spent = [
        [seconds(lambda system=system: answer(system, model, context), 1) for system in SYSTEMS]
        for _ in range(repeats)
    ]
    peaks = [peak_of(system, passages) for system in SYSTEMS]
    found = {
        system: {"seconds": round(median(row[at] for row in spent), 5), "peak MiB": peaks[at]}
        for at, system in enumerate(SYSTEMS)
    }
    times = {
        "seconds": round(median(second / first for first, second in spent), 2),
        "peak MiB": round(peaks[1] / peaks[0], 2),
    }
    return {**found, "times": times}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--one", nargs=2, metavar=("SYSTEM", "PASSAGES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = fusion_backbone("tiny", "t5").eval()
    if options.one:
        system, passages = options.one
        answer(system, model, context_of(int(passages)))
        print(peak_memory_mib())
        return
    result = {
        "tokens a passage": TOKENS,
        "answers": ANSWERS,
        "tokens an answer": ANSWER_TOKENS,
        "parameters": sum(one.numel() for one in model.parameters()),
        "encoding": encoding(model, options.repeats),
        "decoder bytes": decoder_bytes(model),
        "costs": {str(count): costs(model, count, options.repeats) for count in PASSAGES},
    }
    write_result("fusion", result)


if __name__ == "__main__":
    main()
