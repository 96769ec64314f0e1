"""A question that a sentence answers, in the sentence's own words where its form allows it."""

from __future__ import annotations

import re
from collections.abc import Callable

# A subject with one of these in it needs the sentences before it, or is more than a subject.
_NOT_IN_SUBJECTS = frozenset(
    """
    he she it they we you i his her its their our your this that these those there here who whom
    whose what which when where while if is are was were be been has have had does do did can could
    may might will would shall should must and but or not no nor each every both some together
    nobody somebody everybody everyone someone anyone nothing something everything one else
    """.split()
)
_NOT_FIRST = frozenset("in on at by for from to with of after before during since until as".split())
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_DATE = rf"(?:in|on) (?:\d{{1,2}} )?(?:{_MONTH} )?\d{{4}}\b"
_HOURS = rf"(?:at \d|on (?:\d|{_WEEKDAY})|from (?:\d|{_WEEKDAY}|{_MONTH})|every |daily|between \d)"
_NUMBER = (
    r"(?:about |nearly |only |some |almost |over |at least |at most )?(?:\d[\d,.]*|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|ninety)"
)
_TIME = r"(?:minutes?|hours?|days?|weeks?|months?|years?)"
_NAME = r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+"
_DONE = (
    r"(?:[a-z]+ed|built|made|laid|held|sold|bought|lost|sent|paid|born|written|given|drawn|taken|"
    r"broken|chosen|found|won)(?: (?:out|up|down))?"
)
_BARE = {
    "opened": "open", "closed": "close", "began": "begin", "started": "start", "ended": "end",
    "died": "die", "sank": "sink", "returned": "return", "opens": "open", "closes": "close",
    "begins": "begin", "starts": "start", "sails": "sail", "leaves": "leave", "takes": "take",
    "lasts": "last", "has": "have", "holds": "hold", "carries": "carry", "seats": "seat",
    "weighs": "weigh", "measures": "measure",
}  # fmt: skip
_PAST = {"written": "wrote", "given": "gave", "drawn": "drew", "taken": "took", "chosen": "chose"}
_PRESENT = {
    "run": "runs", "owned": "owns", "managed": "manages", "led": "leads", "edited": "edits",
    "kept": "keeps", "maintained": "maintains", "funded": "funds", "written": "writes",
}  # fmt: skip
_ATTRIBUTE = (
    r"(?:fee|price|fare|fine|cost|limit|deadline|deposit|capacity|address|motto|rent|salary|budget|"
    r"size|length|height|width|depth|weight|speed|date|rate|minimum|maximum|threshold|password)"
)
_PERSON = (
    r"(?:[a-z]+(?:ist|ician|woman|man)|painter|writer|teacher|player|runner|driver|founder|leader|"
    r"singer|officer|engineer|lawyer|farmer|sailor|doctor|author|editor|director|mayor|professor|"
    r"actor|sculptor|inventor|merchant|poet|nurse|miller|baker|composer|captain|king|queen)\b"
)

# What follows the subject, and the question made of the subject and the groups of that match.
_FORMS: tuple[tuple[str, Callable[[str, re.Match[str]], str]], ...] = (
    (rf"(was|were) ({_DONE}) {_DATE}", lambda it, m: f"When {m[2]} {it} {m[3]}?"),
    (
        rf"(opened|closed|began|started|ended|died|sank|returned) {_DATE}",
        lambda it, m: f"When did {it} {_BARE[m[2]]}?",
    ),
    (
        rf"(opens|closes|begins|starts|sails|leaves) {_HOURS}",
        lambda it, m: f"When does {it} {_BARE[m[2]]}?",
    ),
    (rf"(open|close|begin|start|sail) {_HOURS}", lambda it, m: f"When do {it} {m[2]}?"),
    (rf"(is|are) (open|closed) {_HOURS}", lambda it, m: f"When {m[2]} {it} {m[3]}?"),
    (
        r"(was|were|is|are) ((?:not |never )?[a-z]+(?: [a-z]+)?) because ",
        lambda it, m: f"Why {m[2]} {it} {m[3]}?",
    ),
    (
        r"(?:was|were) (written|given|drawn|taken|chosen|[a-z]+ed|built|made|led|sold|bought) by "
        r"(?:the )?[A-Z]",
        lambda it, m: f"Who {_PAST.get(m[2], m[2])} {it}?",
    ),
    (
        rf"(?:is|are) ({'|'.join(_PRESENT)}) by (?:the )?[A-Z]",
        lambda it, m: f"Who {_PRESENT[m[2]]} {it}?",
    ),
    (
        rf"(is|was) (?:(?:Dr|Mr|Mrs|Captain|Professor) {_NAME}|{_NAME}(?=, (?:who|an?|then)\b))",
        lambda it, m: f"Who {m[2]} {it}?",
    ),
    (r"(is|are|was|were) named after ", lambda it, m: f"Who {m[2]} {it} named after?"),
    (r"(is|are) (?:located|housed) (?:in|on|at|near) ", lambda it, m: f"Where {m[2]} {it}?"),
    (r"(?:stands|lies) (?:in|on|at|near|between|beside) ", lambda it, _: f"Where is {it}?"),
    (r"(is|are) used (?:to|for|as) ", lambda it, m: f"What {m[2]} {it} used for?"),
    (
        rf"(is|are) (held|served|sold|given|shown|printed|collected) {_HOURS}",
        lambda it, m: f"When {m[2]} {it} {m[3]}?",
    ),
    (
        r"(is|are) (held|served|sold|kept|stored|shown|buried) (?:in|at|on) (?:the |[A-Z])",
        lambda it, m: f"Where {m[2]} {it} {m[3]}?",
    ),
    (
        r"(is|are) (?:not |never |always |only )?"
        r"(allowed|permitted|welcome|required|free|included|covered|banned|forbidden)\b",
        lambda it, m: f"{m[2].capitalize()} {it} {m[3]}?",
    ),
    (
        r"(receive|get|need|cover|include|contain|offer|provide|require|earn) ",
        lambda it, m: f"What do {it} {m[2]}?",
    ),
    (
        r"(receive|get|need|cover|include|contain|offer|provide|require|earn)s ",
        lambda it, m: f"What does {it} {m[2]}?",
    ),
    (rf"costs {_NUMBER}\b", lambda it, _: f"How much does {it} cost?"),
    (
        rf"(takes|lasts) (?:an|{_NUMBER}) {_TIME}\b",
        lambda it, m: f"How long does {it} {_BARE[m[2]]}?",
    ),
    (
        rf"(is|are|was|were) {_NUMBER} [a-z]+ (long|high|tall|wide|deep|old)\b",
        lambda it, m: f"How {m[3]} {m[2]} {it}?",
    ),
    (rf"(weighs|measures) {_NUMBER}\b", lambda it, m: f"How much does {it} {_BARE[m[2]]}?"),
    (
        rf"(has|holds|carries|seats) {_NUMBER} ((?!and )(?:[a-z-]+ )?[a-z]+s(?: of [a-z]+)?)\b",
        lambda it, m: f"How many {m[3]} does {it} {_BARE[m[2]]}?",
    ),
    (
        rf"(may|can|must) ([a-z]+) {_NUMBER} ([a-z]+s)\b",
        lambda it, m: f"How many {m[4]} {m[2]} {it} {m[3]}?",
    ),
)
_PLURAL = re.compile(r"[A-Z]?[a-z]+[^\Wsui]s")
_SUBJECT = r"((?:The |An? )?[\w’'-]+(?: [\w’'-]+){0,4}?) "
_COMPILED = tuple((re.compile(_SUBJECT + form), asked) for form, asked in _FORMS)
_NOUNS = r"((?:the |an? )?[\w’'-]+(?: [\w’'-]+){0,3}?)"
_TASK = r"([a-z]{2,} (?:(?:the|an?|your|several|all) )?[a-z][a-z -]{2,30}?)"

# Forms that begin otherwise than with their subject; the first group must be understood by itself.
_WHOLE_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(form), asked)
    for form, asked in (
        (
            rf"((?!The |A ){_NAME}) (is|was) (?:an?|the) (?:[a-z-]+ )?{_PERSON}",
            lambda m: f"Who {m[2]} {m[1]}?",
        ),
        (
            rf"{_DATE.replace('in|on', 'In|On')},? {_NOUNS} (was|were) ({_DONE})\b",
            lambda m: f"When {m[2]} {m[1]} {m[3]}?",
        ),
        (
            rf"Since (?:\w+ )?\d{{4}},? {_NOUNS} (has|have) (been [^,.;:]{{3,40}})",
            lambda m: f"Since when {m[2]} {m[1]} {m[3]}?",
        ),
        (rf"There are {_NUMBER} ([a-z]+s)\b", lambda m: f"How many {m[1]} are there?"),
        (
            rf"The ((?:[\w-]+ )?{_ATTRIBUTE}(?: (?:of|for) (?:the |an? )?[\w-]+)?) (is|was) ",
            lambda m: f"What {m[2]} the {m[1]}?",
        ),
        (r"The default ([a-z]+(?: [a-z]+)?) is ", lambda m: f"What is the default {m[1]}?"),
        (rf"To {_TASK}, (?:you |[a-z])", lambda m: f"How do I {_by_me(m[1])}?"),
        (rf"You can {_TASK} (?:with|by|using|via) ", lambda m: f"How do I {_by_me(m[1])}?"),
    )
)


def _by_me(task: str) -> str:
    """A task as the asker would name it."""
    return task.replace("your ", "my ")


def question_for(sentence: str) -> str | None:
    """The question that a sentence of a known form answers, or None.

    >>> question_for("The crossing takes 55 minutes in summer.")
    'How long does the crossing take?'
    >>> question_for("The Walled Garden was laid out in 1881 by monks.")
    'When was the Walled Garden laid out?'
    >>> question_for("To rename a folder, open its menu.")
    'How do I rename a folder?'
    >>> question_for("She was built in 1998.")
    """
    for form, asked in _COMPILED:
        found = form.match(sentence)
        if found and _stands_alone(found[1]):
            return asked(_within_a_sentence(found[1]), found)
    for form, question in _WHOLE_FORMS:
        found = form.match(sentence)
        if found and not _NOT_IN_SUBJECTS.intersection(_by_me(found[1]).lower().split()):
            return question(found)
    return None


def _stands_alone(subject: str) -> bool:
    """Whether a subject is understood by itself: two words, or a plural as in "Residents"."""
    words = subject.lower().split()
    alone = len(words) > 1 or _PLURAL.fullmatch(subject) is not None
    return alone and words[0] not in _NOT_FIRST and not _NOT_IN_SUBJECTS.intersection(words)


def _within_a_sentence(subject: str) -> str:
    """The subject as it is written where it doesn't begin the sentence."""
    first, _, rest = subject.partition(" ")
    if not rest:
        return first.lower()
    is_name = rest[0].isupper() and first not in ("The", "A", "An")
    return subject if is_name or (first.isupper() and len(first) > 1) else f"{first.lower()} {rest}"
