import pytest

from seminar.datasets.catalog import DATASETS
from seminar.errors import ConfigurationError
from seminar.evaluation.grids.catalog import GRIDS, find_grid
from seminar.evaluation.grids.roles import ROLES
from seminar.evaluation.published import published_rows
from seminar.questions.registry import HISTORIES

PARTS = [
    pytest.param(grid, part, id=f"{name}: {part.title}")
    for name, grid in GRIDS.items()
    for part in grid.parts
]


def test_a_bad_name_lists_the_known_ones():
    with pytest.raises(ConfigurationError) as message:
        find_grid("topiocqa-table6")
    assert str(message.value) == (
        "unknown grid 'topiocqa-table6'. Did you mean 'topiocqa-table5'? Known: "
        "ambigprompt-table2, ambigprompt-table3, ambigprompt-table5, pragmaticqa-table4, "
        "qaconv-table6, qaconv-table7, qaconv-table9, quac-table4, topiocqa-table5"
    )


@pytest.mark.parametrize(("grid", "part"), PARTS)
def test_every_row_of_the_papers_table_is_in_its_grid(grid, part):
    for split in part.splits.values():
        printed = {
            row.system: row.scores
            for row in published_rows()
            if (row.paper, row.number, row.split) == (grid.paper, part.number, split)
            and row.setting in part.settings
        }
        assert printed
        assert printed.keys() <= {row.system for row in part.rows}
        assert {column for cells in printed.values() for column in cells} <= set(part.columns)


@pytest.mark.parametrize(("grid", "part"), PARTS)
def test_rows_have_names_of_their_own_and_splits_exist(grid, part):
    names = [row.system for row in part.rows]
    assert len(set(names)) == len(names)
    for name in part.splits:
        dataset, _, split = name.partition("/")
        assert split in DATASETS[dataset].SPLITS


@pytest.mark.parametrize("name", GRIDS)
def test_every_role_says_which_network_plays_it(name: str):
    assert set(GRIDS[name].roles) <= ROLES.keys()


def test_every_history_is_one_of_the_products():
    recipes = [row.recipe for grid in GRIDS.values() for part in grid.parts for row in part.rows]
    assert {recipe.history for recipe in recipes if recipe} <= HISTORIES.keys()


def test_topiocqa_crosses_retrievers_readers_and_forms_of_the_question():
    [end_to_end, *_] = GRIDS["topiocqa-table5"].parts
    named = [row.system for row in end_to_end.rows]
    assert len(named) == 2 + 12 + 24
    assert "DPR Retriever + FiD, all history" in named
    assert "fusion + span, auto" in named


def test_pragmaticqa_reads_one_to_fifty_passages():
    [part] = GRIDS["pragmaticqa-table4"].parts
    fid = [row.recipe for row in part.rows if row.system.startswith("FiD")]
    assert [recipe.k for recipe in fid] == [1, 5, 10, 20, 50]
    assert {recipe.roles for recipe in fid} == {("dpr-retriever", "fid")}
