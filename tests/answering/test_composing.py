from seminar.answering.composing import NOT_FOUND, Composer
from seminar.types import Answer, Dialogue, Hit, Passage, Query, Reply, Span, Turn

FERRY = Passage("ferry.md", 100, 139, "The ferry runs daily. It takes an hour.", "The ferry")
HALL = Passage("hall.md", 0, 21, "The hall has 40 beds.", "The hall")
QUERY = Query("How long does it take?")


def answer(passage: Passage, text: str, score: float) -> Answer:
    start = passage.text.index(text)
    return Answer(Span(passage, start, start + len(text)), score)


def reply_to(dialogue: Dialogue, *answers: Answer) -> Reply:
    hits = [Hit(FERRY, 2.0)]
    [reply] = Composer(threshold=0.5).respond([dialogue], [QUERY], [hits], [answers])
    return reply


def test_the_best_answer_is_told_in_its_own_words():
    reply = reply_to(Dialogue(), answer(FERRY, "an hour", 0.9), answer(HALL, "40 beds", 0.6))
    assert reply.text == "an hour"
    assert [span.text for span in reply.literal] == ["an hour"]
    assert (reply.answerable, reply.topic, reply.switch) == (True, "The ferry", None)


def test_below_the_threshold_it_says_that_it_is_not_here():
    reply = reply_to(Dialogue(), answer(FERRY, "an hour", 0.49))
    assert (reply.text, reply.answerable, reply.literal) == (NOT_FOUND, False, ())
    assert [hit.passage for hit in reply.hits] == [FERRY]


def test_without_candidates_it_says_that_it_is_not_here():
    assert reply_to(Dialogue()).text == NOT_FOUND


def test_a_switch_is_told_by_the_document_of_the_answer():
    ferry, hall = answer(FERRY, "an hour", 0.9), answer(HALL, "40 beds", 0.9)
    dialogue = Dialogue()
    switches = []
    for best in (ferry, ferry, hall, ferry):
        reply = reply_to(dialogue, best)
        switches.append(reply.switch)
        dialogue = dialogue.add(Turn("?", reply))
    assert switches == [None, "no-switch", "switch-to-new", "switch-to-old"]


def test_a_turn_without_an_answer_does_not_end_a_topic():
    answered = Turn("?", reply_to(Dialogue(), answer(FERRY, "an hour", 0.9)))
    refused = Turn("?", reply_to(Dialogue()))
    reply = reply_to(Dialogue((answered, refused)), answer(FERRY, "daily", 0.9))
    assert reply.switch == "no-switch"
