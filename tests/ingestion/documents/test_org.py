from seminar.ingestion.documents.org import parse

TEXT = """#+TITLE: Harbour notes
#+OPTIONS: toc:nil

Boats *leave* at [[file:times.org][nine]] and =return=
late.

* TODO [#A] Fares                                   :money:
:PROPERTIES:
:ID: x
:END:
SCHEDULED: <2024-01-01 Mon>
| Ticket | Price |
|--------+-------|
| Child  | 4     |

** Refunds
- one
- [X] two
  goes on
#+begin_src python
* x

y
#+end_src
#+begin_quote
Said 2*3*4 so.
#+end_quote
# a comment
"""


def test_blocks_of_a_file():
    document = parse(TEXT, "docs/a.org")
    assert document.title == "Harbour notes"
    assert document.text == (
        "Harbour notes\n\nBoats leave at nine and return late.\n\nFares\n\n"
        "Ticket | Price\nTicket: Child; Price: 4\n\nRefunds\n\none\ntwo goes on\n\n"
        "* x\n\ny\n\nSaid 2*3*4 so."
    )
    assert [section.title for section in document.sections] == ["", "Fares", "Fares > Refunds"]
    [link] = document.links
    assert (document.text[link.start : link.end], link.target) == ("nine", "docs/times.org")


def test_block_without_end_is_read_as_text():
    assert parse("a\n#+begin_src c\n\nb", "a.org").text == "a\n\nb"


def test_many_blocks_without_end_are_read_in_linear_time():
    text = "".join(f"#+begin_k{n}\n:D{n}:\n" for n in range(10_000))
    assert parse(text + "end", "a.org").text == "end"
