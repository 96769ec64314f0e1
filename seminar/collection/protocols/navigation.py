"""Reading pages by their links: the current page, back and forward, and what was visited."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.messages.actions import ActionType, Back, Forward, Open
from seminar.collection.messages.views import VisitedPage
from seminar.collection.protocols.activity import Refused

MOST_STEPS = 200  # that `back` remembers

NAVIGATION = ("open", "back", "forward")


@dataclass(frozen=True, slots=True)
class Navigation:
    """The pages behind, the current one and those ahead, as a browser has them."""

    behind: tuple[str, ...]
    page: str
    ahead: tuple[str, ...]
    visited: tuple[str, ...]

    @classmethod
    def at(cls, page: str, *others: str) -> Navigation:
        """Begin at a page; the others may be opened from a list."""
        return cls((), page, (), tuple(dict.fromkeys((page, *others))))

    def step(self, action: ActionType, index: CorpusIndex) -> Navigation:
        """The state after `open`, `back` or `forward`."""
        if isinstance(action, Back):
            return self._back()
        if isinstance(action, Forward):
            return self._forward()
        if isinstance(action, Open):
            return self._open(action.page, index)
        raise Refused("turn", "that doesn't move between pages")

    def moves(self) -> tuple[str, ...]:
        """The kinds of actions that can be done now."""
        return (
            "open",
            *(("back",) if self.behind else ()),
            *(("forward",) if self.ahead else ()),
        )

    def with_pages(self, pages: tuple[str, ...]) -> Navigation:
        """Add pages that may be opened from the list."""
        return replace(self, visited=tuple(dict.fromkeys((*self.visited, *pages))))

    def listed(self, index: CorpusIndex) -> tuple[VisitedPage, ...]:
        return tuple(VisitedPage(page, index.pages[page].title) for page in self.visited)

    def _back(self) -> Navigation:
        if not self.behind:
            raise Refused("page", "no page was open before")
        *behind, page = self.behind
        return replace(self, behind=tuple(behind), page=page, ahead=(self.page, *self.ahead))

    def _forward(self) -> Navigation:
        if not self.ahead:
            raise Refused("page", "no page was left by going back")
        page, *ahead = self.ahead
        return replace(self, behind=(*self.behind, self.page), page=page, ahead=tuple(ahead))

    def _open(self, page: str, index: CorpusIndex) -> Navigation:
        if page not in index.targets[self.page] and page not in self.visited:
            raise Refused("page", f"the open page has no link to '{page}'")
        if page == self.page:
            return self
        behind = (*self.behind, self.page)[-MOST_STEPS:]
        return Navigation(behind, page, (), tuple(dict.fromkeys((*self.visited, page))))
