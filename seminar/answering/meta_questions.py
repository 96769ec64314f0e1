"""Questions about the conversation itself, recognised by their form before anything is searched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "greeting",
    "thanks",
    "farewell",
    "acknowledgement",
    "abilities",
    "files",
    "sections",
    "summary",
    "said",
    "comparison",
    "repetition",
    "doubt",
    "evidence",
    "more",
    "speaker",
    "choice",
]


@dataclass(frozen=True, slots=True)
class MetaQuestion:
    """The kind of a question about the conversation, and the topics that it names."""

    kind: Kind
    topics: tuple[str, ...] = ()


_FILES = r"(?:files?|documents?|docs|sources?|pages?|texts?|notes|materials?|data)"
_SECTIONS = r"(?:files?|documents?|docs|sources?|pages?|sections?|passages?|chapters?|parts?)"
_EVIDENCE = r"(?:sources?|evidence|proof|references?|citations?)"
_THAT = r"(?:that|this|it|so)"
_REQUEST = r"(?:(?:can|could|would|will) you )?(?:please )?"
_MEANT = r"(?:(?:no|i mean|i meant|rather)[, ]+)*"
_HERE = r"(?: (?:in )?(?:here|there|(?:these|the|your|my) files|this (?:folder|collection)))?"
_SUBJECT = r"(?P<topic>(?!to\b).+)"  # "about to expire" names no topic

# Each form must match the whole question, without marks and polite words around it.
_FORMS: dict[Kind, tuple[str, ...]] = {
    "greeting": (
        r"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))"
        r"(?: (?:there|again|all|everyone|seminar|to you))?",
        r"how are you(?: doing)?(?: today)?",
        r"(?:nice|pleased|good) to meet you",
    ),
    "thanks": (
        r"(?:many |great |big )?(?:thanks|thank you|thx|cheers|ta)"
        r"(?: (?:so|very) much| a lot| a million| a bunch| again| indeed)?"
        r"(?: for (?:that|this|(?:all )?(?:the|your) (?:help|answers?|info|information|time)))?",
        r"(?:much|very) appreciated|i appreciate (?:it|that|your help)",
        r"(?:that|this|it)(?: was|'s| is)(?: very| really| so)? (?:helpful|useful)",
        r"that(?: really)? (?:helps|helped)(?: a lot)?",
    ),
    "farewell": (
        r"(?:good ?bye|bye(?: bye)?|see you(?: (?:later|soon|tomorrow))?|good night|farewell)"
        r"(?: for now)?",
        r"that(?:'s| is| will be) (?:all|it|everything)(?: for (?:now|today))?(?:,? thanks)?",
    ),
    "acknowledgement": (
        r"(?:ok|okay|alright|all right|right|fine|great|nice|cool|perfect|excellent|wonderful|good|"
        r"interesting|understood|got it|i see|i understand|makes sense|that makes sense|noted|"
        r"good to know|sounds good|fair enough|very good|no problem)",
    ),
    "abilities": (
        r"what (?:can|could) (?:you|this tool|this chat|seminar) do(?: for (?:me|us))?" + _HERE,
        r"what (?:do you|does (?:this tool|this chat|seminar)) do",
        r"(?:who|what)(?: exactly)? are you",
        r"help|help me|(?:can|could) you help(?: me)?|how (?:can|could|do) you help(?: (?:me|us))?",
        r"how do you work|how do i use (?:you|this tool|this chat|seminar)",
        r"what (?:can|could|should|may) (?:i|we) ask(?: you)?(?: about)?" + _HERE,
        r"what (?:kinds?|sorts?) of questions (?:can|could|may) (?:i|we) ask(?: you)?",
        r"what are you (?:good at|able to do|capable of)|what are your (?:abilities|capabilities)",
    ),
    "files": (
        rf"(?:what|which) {_FILES} (?:do you have|have you got|do you know|can you (?:see|"
        rf"search|read|access|use)|are (?:you using|indexed|loaded|available|searched)|"
        rf"have you (?:read|indexed|loaded|seen)|do you (?:use|search|read|see)|"
        rf"(?:is|are) in (?:here|there|this (?:folder|collection|index)))(?: access to)?" + _HERE,
        r"(?:what|which) (?:files|documents|docs) are there" + _HERE,
        rf"{_REQUEST}(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| your| these| my)? {_FILES}"
        r"(?: (?:that )?you (?:have|know|can (?:see|search|read)))?",
        rf"how many {_FILES} (?:do you have|have you (?:read|indexed|got|loaded)|can you (?:see|"
        r"search|read))" + _HERE,
        rf"what (?:is|are)(?: in)? (?:your|these|my) {_FILES}(?: about)?",
        r"what(?:'s| is) in (?:here|this folder|this collection|this index|the index|your index|"
        rf"(?:these|your|the|my) files)|what are (?:these|the|your) {_FILES} about",
        r"what do you (?:know|know about|have|have here|have access to)" + _HERE,
    ),
    "sections": (
        rf"(?:what|which) {_SECTIONS} (?:are about|is about|deal with|deals with|mentions?|covers?|"
        rf"discuss(?:es)?|talks? about|speaks? (?:of|about)) {_SUBJECT}",
        rf"(?:what|which) {_SECTIONS} do you have (?:on|about) {_SUBJECT}",
        rf"where (?:can|could|do|should) i (?:read|learn|find out|find something|find more)"
        rf"(?: more| something)? about {_SUBJECT}",
        rf"what do you (?:know|have) about {_SUBJECT}",
        rf"what do (?:these|the|your|my) files (?:have|say|tell(?: us)?) (?:about|on) {_SUBJECT}",
        rf"do (?:you|these files|the files) (?:know|have|say) (?:anything|something) (?:about|on) "
        rf"{_SUBJECT}",
        rf"is there (?:anything|something) about {_SUBJECT}",
        rf"{_REQUEST}(?:show|list|give|find)(?: me)?(?: all)?(?: the)? {_SECTIONS} "
        rf"(?:about|on|that mention|mentioning) {_SUBJECT}",
    ),
    "summary": (
        rf"{_REQUEST}(?:summari[sz]e|sum up|recap)(?: {_SUBJECT})?",
        rf"{_REQUEST}(?:give|write|make)(?: me)? (?:a|an|the)(?: (?:short|brief|quick|one line))? "
        rf"(?:summary|overview|recap|gist|outline)(?: (?:of|on|about) {_SUBJECT})?",
        rf"(?:a |the )?(?:short |brief |quick )?(?:summary|recap|overview)"
        rf"(?: (?:of|on) {_SUBJECT})?",
        rf"tl;?dr(?: (?:of )?{_SUBJECT})?",
        rf"what(?:'s| is) the gist(?: of {_SUBJECT})?",
        rf"i(?:'d like| want| need) (?:a|an) (?:summary|overview) of {_SUBJECT}",
    ),
    "said": (
        r"what (?:was|has been|did (?:people|they|we|everyone|everybody)) "
        r"(?:said|say|discussed?|posted?|talked? about|written|write) "
        r"(?P<topic>(?:in|on|since|from|between|until|yesterday|today|during|last|this|the) .+"
        r"|yesterday|today)",
        r"what (?:happened|(?:is|was) going on) (?P<topic>in (?:the )?(?:#.+|\S+ channel\b.*))",
    ),
    "comparison": (
        rf"{_REQUEST}compare (?P<first>.+?) (?:and|with|to|against|versus|vs) (?P<second>.+)",
        rf"{_REQUEST}(?:give|make|show)(?: me)? a comparison (?:of|between) "
        rf"(?P<first>.+?) (?:and|with) (?P<second>.+)",
        r"(?:a )?comparison (?:of|between) (?P<first>.+?) (?:and|with) (?P<second>.+)",
        rf"{_REQUEST}compare (?P<topic>them|these|those|both|the two)",
    ),
    "repetition": (
        r"what did you(?: just)? (?:say|tell me|answer)(?: (?:again|before|earlier|just now))?",
        rf"{_REQUEST}(?:say|repeat) {_THAT}(?: again| once more)?|(?:repeat|come) again",
        rf"{_REQUEST}repeat(?: (?:your|the)(?: last)? (?:answer|reply))?",
        r"pardon(?: me)?|i beg your pardon|what was (?:that|your(?: last)? answer)(?: again)?",
    ),
    "doubt": (
        r"are you(?: really| quite| absolutely| very| so)? (?:sure|certain|confident|positive)"
        rf"(?: (?:about|of) {_THAT})?",
        rf"(?:really|is {_THAT}(?: really)? (?:right|true|correct|so|certain|accurate))",
        rf"how (?:sure|certain|confident) are you(?: (?:about|of) {_THAT})?",
        r"(?:that|this|it)(?:'s| is| seems| sounds| looks) (?:wrong|not right|incorrect|not true)",
        r"(?:that|this|it) (?:isn't|can't be|doesn't sound|doesn't look|doesn't seem) "
        r"(?:right|true|correct)",
        r"(?:i )?(?:don't|do not) (?:believe|trust) (?:that|you|it)|i doubt (?:it|that)",
        r"can i (?:trust|rely on) (?:that|this|you)",
    ),
    "evidence": (
        rf"why do you (?:say|think|believe|claim) {_THAT}",
        rf"what makes you (?:say|think|believe) {_THAT}",
        rf"how (?:do|can|could|would) you (?:know|tell)(?: {_THAT})?|how can you be(?: so)? sure",
        rf"where (?:did|do) you (?:get|find|read|see|take) {_THAT}(?: from)?",
        rf"where does (?:it|that) say {_THAT}|where is {_THAT} (?:written|stated)",
        rf"(?:what(?:'s| is| are)|show me|give me|quote|cite|name) "
        rf"(?:your {_EVIDENCE}(?: for {_THAT})?|the {_EVIDENCE} for {_THAT})",
        r"(?:says|according to) (?:who|whom|what)|what is (?:that|this) based on",
        rf"{_REQUEST}prove {_THAT}|(?:any )?(?:source|evidence|proof|reference|citation)",
    ),
    "more": (
        rf"{_REQUEST}(?:tell|say|give)(?: me)? (?:some |a bit )?more"
        r"(?: (?:about|on) (?:it|that|this|him|her|them))?",
        r"more|go on|continue|keep going|(?:is there )?anything (?:else|more)",
        r"what (?:else|more)|what(?: comes| is)? next",
    ),
    "choice": (
        rf"{_MEANT}the (?P<topic>first|second|third|fourth|last|other|next)(?: (?:one|answer))?",
        rf"{_MEANT}(?P<topic>not) (?:that|this)(?: one)?",
        r"(?:and )?what about the (?P<topic>first|second|third|fourth|last|other)(?: one)?",
    ),
    "speaker": (
        rf"who (?:said|says|wrote|posted|mentioned|asked) {_THAT}",
        rf"who (?:was|is) (?:saying|it that said) {_THAT}",
    ),
}
_COMPILED = tuple(
    (kind, re.compile(form, re.IGNORECASE)) for kind, forms in _FORMS.items() for form in forms
)
_BEFORE = re.compile(
    r"(?:and|but|so|ok|okay|well|yes|no|oh|ah|hm+|please|hey|hi|hello|great|perfect|wait|sorry|"
    r"thanks|thank you)\b[\s,.!:;-]+",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:[\s,.!?;-]+(?:please|then|though|exactly|seminar))+$", re.IGNORECASE)
_MARKS = " \t\n.,!?;:…\"'“”‘’()"
LONGEST = 20  # words: whoever writes more wants something of the files


def recognise(question: str) -> MetaQuestion | None:
    """The meta question that a question is, or None where the files have to answer it.

    >>> recognise("Thanks a lot!")
    MetaQuestion(kind='thanks', topics=())
    >>> recognise("Can you summarise the ferry's history, please?")
    MetaQuestion(kind='summary', topics=("the ferry's history",))
    >>> recognise("What can you do in the gardens?")
    """
    text = " ".join(question.replace("’", "'").split()).strip(_MARKS)
    if len(text.split()) > LONGEST:
        return None
    return next((found for form in _bare(text) if (found := _matched(form))), None)


def _bare(text: str) -> list[str]:
    """The question without polite words after it, and with ever more of those before it."""
    forms = [_AFTER.sub("", text).strip(_MARKS)]
    while before := _BEFORE.match(forms[0]):
        forms.insert(0, forms[0][before.end() :])
    return [*forms, text]


def _matched(text: str) -> MetaQuestion | None:
    for kind, form in _COMPILED:
        match = form.fullmatch(text)
        if match:
            spans = [match.span(name) for name in form.groupindex if match[name]]
            return MetaQuestion(kind, tuple(text[start:end] for start, end in spans))
    return None
