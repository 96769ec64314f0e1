"""Feedback that people gave is evaluated from the service's folder, by the command."""

import json

from click.testing import CliRunner

from seminar.cli.main import main
from tests.serving.conftest import Service

QUESTION = "How much do two larch planks cost?"


def test_command_evaluates_the_feedback_of_a_service(service: Service):
    post, put = service.client.post, service.client.put
    body = {"collection": service.collection, "scope": "slack/boathouse"}
    path = f"/api/v1/dialogues/{post('/api/v1/dialogues', json=body).json()['id']}"
    reply = post(f"{path}/turns", json={"question": QUESTION}).json()["reply"]
    put(f"{path}/turns/1/feedback", json={"right": True, "span": reply["literal"][0]})
    folder = str(service.state.settings.folder)
    arguments = ["evaluate", "feedback", "--judged", folder, "--format", "json"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    judged = [one for one in json.loads(result.stdout) if one["question"] == QUESTION]
    assert judged[0]["right_before"] is True
    assert (judged[0]["right_now"], judged[0]["f1"]) == (True, 1.0)
