"""Groups of accounts, as admins change them and others see them."""

from tests.serving.identity.people import API, People


def test_an_admin_makes_changes_and_deletes_a_group(people: People):
    one, two = people.person("grace"), people.person("henri")
    body = {"name": "Readers", "members": [one.id]}
    group = people.admin.send("POST", "/groups", body, 201)
    assert group["members"] == [{"id": one.id, "name": "grace"}]
    path = f"/groups/{group['id']}"
    renamed = people.admin.send("PATCH", path, {"name": "All", "members": [two.id, one.id]})
    assert (renamed["name"], [member["name"] for member in renamed["members"]]) == (
        "All",
        ["grace", "henri"],
    )
    people.admin.send("DELETE", path, status=204)
    people.admin.send("PATCH", path, {"name": "Gone"}, 404)


def test_others_see_names_but_no_members(people: People):
    person = people.person("curious")
    group = people.admin.send("POST", "/groups", {"name": "Closed", "members": [person.id]}, 201)
    [seen] = [one for one in person.get("/groups")["items"] if one["id"] == group["id"]]
    assert seen == {"id": group["id"], "name": "Closed", "members": None}
    person.send("POST", "/groups", {"name": "Mine"}, 403)
    person.send("PATCH", f"/groups/{group['id']}", {"members": []}, 403)
    person.send("DELETE", f"/groups/{group['id']}", status=403)


def test_names_of_groups_are_unique(people: People):
    people.admin.send("POST", "/groups", {"name": "Once"}, 201)
    problem = people.admin.send("POST", "/groups", {"name": "Once"}, 409)
    assert "'Once'" in problem["detail"]
    other = people.admin.send("POST", "/groups", {"name": "Twice"}, 201)
    people.admin.send("PATCH", f"/groups/{other['id']}", {"name": "Once"}, 409)


def test_an_unknown_member_is_a_problem_and_changes_nothing(people: People):
    body = {"name": "Half", "members": [people.admin.id, "nobody"]}
    problem = people.admin.send("POST", "/groups", body, 404)
    assert "'nobody'" in problem["detail"]
    assert "Half" not in [one["name"] for one in people.admin.get("/groups", limit=200)["items"]]


def test_without_an_account_there_are_no_groups(people: People):
    assert people.browser().get(f"{API}/groups").status_code == 401
