"""Question rewriting by an encoder-decoder: the dialogue in, a question that stands alone out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from seminar.errors import unknown
from seminar.models.rewriter.model import FollowUp
from seminar.networks.checkpoints import settings_of
from seminar.networks.papers.seq2seq import network as seq2seq
from seminar.networks.papers.seq2seq.network import Sizes, TextToText, Writer
from seminar.types import SEPARATOR, Dialogue, Query

BARS = " ||| "


class RewritingNetwork(TextToText):
    """An encoder-decoder that writes questions that stand alone."""


def _topiocqa(asked: FollowUp) -> str:
    """TopiOCQA, appendix B: q1 [SEP] a1 [SEP] ... [SEP] qn; nothing stands for a missing answer."""
    history = [part for turn in asked.turns for part in turn if part]
    return SEPARATOR.join([*history, asked.question])


def _canard(asked: FollowUp) -> str:
    """Lin et al. (2020) on CANARD: title ||| section ||| q1 ||| a1 ||| ... ||| qn."""
    history = [part for turn in asked.turns for part in turn]
    return BARS.join(filter(None, [asked.title, asked.section, *history, asked.question]))


FORMS: Mapping[str, Callable[[FollowUp], str]] = {"topiocqa": _topiocqa, "canard": _canard}


def source_of(asked: FollowUp, form: str) -> str:
    """A question in its dialogue as the encoder reads it.

    >>> source_of(FollowUp("and its area?", (("who owns it?", "Kent"),)), "topiocqa")
    'who owns it? [SEP] Kent [SEP] and its area?'
    """
    if form not in FORMS:
        raise unknown("form of a dialogue", form, FORMS)
    return FORMS[form](asked)


class Seq2SeqRewriter:
    """Rewrites by generation; a question with nothing before it stays as it is."""

    def __init__(self, writer: Writer, form: str = "topiocqa") -> None:
        self.writer, self.form = writer, form

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        asked = [_asked(*pair) for pair in zip(dialogues, questions, strict=True)]
        later = [one for one in asked if one.turns]
        written = iter(self.writer.write([source_of(one, self.form) for one in later]))
        return [
            Query(
                # An empty rewrite would search for nothing.
                text=(next(written).text or one.question) if one.turns else one.question,
                question=one.question,
                history=one.turns,
            )
            for one in asked
        ]


def save(rewriter: Seq2SeqRewriter, folder: Path) -> None:
    """Write a rewriter for use."""
    seq2seq.save(rewriter.writer, folder, {"form": rewriter.form})


def load(folder: Path) -> Seq2SeqRewriter:
    """The rewriter that `seminar train rewriting` wrote."""
    writer = seq2seq.load_writer(folder, RewritingNetwork)
    return Seq2SeqRewriter(writer, settings_of(folder)["form"])


def published(checkpoint: str, *, form: str = "canard", beams: int = 1) -> Seq2SeqRewriter:
    """A rewriter that others trained, as it is: `castorini/t5-base-canard`, for one."""
    sizes = Sizes(kept="end", beams=beams)
    return Seq2SeqRewriter(seq2seq.published_writer(checkpoint, RewritingNetwork, sizes), form)


def _asked(dialogue: Dialogue, question: str) -> FollowUp:
    """The question with its turns, "" where none was answered, and where the last answer stood."""
    turns = tuple(
        (turn.question, turn.reply.text if turn.reply.answerable else "") for turn in dialogue.turns
    )
    title, section = "", ""
    if dialogue.trail:
        title, section = dialogue.trail[-1].title, dialogue.trail[-1].section
    return FollowUp(question, turns, title, section)
