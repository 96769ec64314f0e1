"""Channels split into conversations: the model beside simple rules, on held-out channels.

    scripts/bench threads

Needs SEMINAR_DATA. The weights that ship were fitted on the second IRC channel; those fitted on
Slack's racket channels are made here, and stay here, since that data states no licence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.results import write_result
from benchmarks.thread_retrieval import recall
from seminar.baselines.disentanglement import RULES
from seminar.datasets.catalog import channels
from seminar.datasets.conversations.disentanglement import Channel
from seminar.evaluation.disentanglement import score, untangle
from seminar.ingestion.conversations.disentangling.model import shipped_weights
from seminar.training.fitting.disentangling import train

Split = Callable[[Channel], Channel]
HELD_OUT = ("clojurians/2019", "elmlang/2019")


def held_out() -> dict[str, list[Channel]]:
    """The channels that no weights were fitted on."""
    ubuntu = [one for one in channels("irc_disentanglement") if one.name != "channel-two.all"]
    slack = {one.name: [one] for one in channels("slack_disentangled") if one.name in HELD_OUT}
    return {"IRC dev": ubuntu, **{f"Slack {name}": one for name, one in slack.items()}}


def measure(sample: Sequence[Channel], split: Split) -> dict[str, float]:
    begun = time.process_time()
    found = [split(channel) for channel in sample]
    seconds = time.process_time() - begun
    messages = sum(len(channel.messages) for channel in sample)
    pairs = zip(sample, found, strict=True)
    made = sum(len(set(one.conversations[gold.start :])) for gold, one in pairs)
    return {**score(sample, found), "conversations": made, "messages/s": round(messages / seconds)}


def main() -> None:
    splits: dict[str, Split] = {
        **RULES,
        "model that ships (IRC)": partial(untangle, weights=shipped_weights()),
        "model fitted on Slack racket": partial(untangle, weights=train("slack")),
    }
    results: dict[str, object] = {}
    for name, sample in held_out().items():
        scored = [label for one in sample for label in one.conversations[one.start :]]
        own = sum(len(set(one.conversations[one.start :])) for one in sample)
        results[name] = {
            "messages": len(scored),
            "conversations": own,
            **{kind: measure(sample, split) for kind, split in splits.items()},
        }
    results["QAConv racket, val and test"] = recall()
    write_result("threads", results)


if __name__ == "__main__":
    main()
