"""The words that the lexical index leaves out."""

from __future__ import annotations

# English function words without those that are also names ("who", "it", "will", "us", "may"):
# on SQuAD this list found more than the built-in one and than none at all (docs/retrieval.md).
STOP_WORDS = """
a an and are as at be been being but by did do does doing for from had has have having he her
his how i if in into is its me my of on or our she should so such than that the their them then
there these they this those to was we were what when where which while whom why with would you
your
""".split()
