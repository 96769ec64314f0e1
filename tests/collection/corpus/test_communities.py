from pathlib import Path

import pytest

from seminar.collection.corpus.communities import Community, ranked, read_communities
from seminar.errors import ConfigurationError

HEAD = "title,genre,central,pages,active_users,edits\n"


def community(title: str, genre: str = "TV", pages: int = 200, users: int = 20, edits: int = 1000):
    return Community(title, genre, title, pages, users, edits)


def test_small_and_quiet_communities_are_left_out():
    given = [
        community("kept", pages=100, users=10),
        community("small", pages=99),
        community("quiet", users=9),
        community("e-sports", genre="Gaming"),
        community("stories", genre="fan fiction"),
    ]
    assert [one.title for one in ranked(given)] == ["kept"]


def test_the_most_edited_of_each_genre_come_first():
    given = [
        community("b", edits=400),  # 2 edits a page
        community("c", edits=1000, pages=1000),  # 1
        community("a", edits=600),  # 3
        community("m", genre="Music", edits=200),  # 1
    ]
    assert [one.title for one in ranked(given)] == ["m", "a", "b", "c"]
    assert [one.title for one in ranked(given, per_genre=2)] == ["m", "a", "b"]
    assert [one.title for one in ranked(given, excluded=["TV"])] == ["m"]


def test_communities_from_a_table(tmp_path: Path):
    file = tmp_path / "communities.csv"
    file.write_text(
        'title,genre,central,pages,active_users,edits\nHalo,Games,Halo Wiki,"1,200",31,24000\n'
    )
    [halo] = read_communities(file)
    assert halo == Community("Halo", "Games", "Halo Wiki", 1200, 31, 24000)
    assert halo.edits_per_page == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title,genre,central,pages,edits\n", "no column active_users"),
        (
            "title,genre,central,pages,active_users,edits\na,b,c,many,1,1\n",
            r"csv:2: pages is 'many'",
        ),
        ("title,genre,central,pages,active_users,edits\na,b\n", r"csv:2: pages is 'None'"),
    ],
)
def test_a_faulty_table_names_the_line(tmp_path: Path, text: str, message: str):
    file = tmp_path / "communities.csv"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        read_communities(file)
