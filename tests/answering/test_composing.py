from seminar.answering.composing import NOT_FOUND, Composer, nearest_sentence
from seminar.answering.pragmatic import Pragmatics
from seminar.models.encoders.registry import load_encoder
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


def test_yes_and_no_are_said_with_the_sentence_that_shows_them():
    best = answer(FERRY, "The ferry runs daily.", 0.9)
    shown = Answer(best.span, 0.9, "yes")
    [reply] = Composer(0.5).respond([Dialogue()], [Query("Is it daily?")], [[]], [[shown]])
    assert (reply.text, reply.affirmation) == ("Yes. The ferry runs daily.", "yes")
    assert [span.text for span in reply.literal] == ["The ferry runs daily."]
    [reply] = Composer(0.5).respond([Dialogue()], [Query("When does it run?")], [[]], [[shown]])
    assert (reply.text, reply.affirmation) == ("The ferry runs daily.", "neither")


def test_extras_stand_apart_and_every_word_is_a_passages_own():
    text = "The ferry takes an hour. In winter the ferry takes longer, for the sea is rough."
    passage = Passage("ferry.md", 0, len(text), text, "The ferry")
    composer = Composer(0.5, pragmatics=Pragmatics(load_encoder("static"), bar=0.0))
    best = answer(passage, "an hour", 0.9)
    [reply] = composer.respond([Dialogue()], [QUERY], [[Hit(passage, 1.0)]], [[best]])
    assert reply.text == "an hour"
    [extra] = reply.pragmatic
    assert extra.span.text == "In winter the ferry takes longer, for the sea is rough."
    dialogue = Dialogue((Turn("How long?", reply),))
    [again] = composer.respond([dialogue], [QUERY], [[Hit(passage, 1.0)]], [[best]])
    assert again.pragmatic == ()  # it was told


def test_a_reply_says_whether_to_ask_on():
    assert reply_to(Dialogue(), answer(FERRY, "daily", 0.9)).continuation == "maybe"
    assert reply_to(Dialogue(), answer(FERRY, "an hour", 0.9)).continuation == "don't"
    assert reply_to(Dialogue()).continuation == "don't"


def test_refusal_names_nearest_sentence():
    hits = [Hit(HALL, 2.0), Hit(FERRY, 1.0)]
    query = Query("How many ferries run daily?")
    [refused] = Composer().respond([Dialogue()], [query], [hits], [[]])
    assert refused.text == NOT_FOUND
    assert refused.nearest is not None
    assert refused.nearest.text == "The ferry runs daily."


def test_answered_question_has_no_nearest_sentence():
    assert reply_to(Dialogue(), answer(FERRY, "daily", 0.9)).nearest is None


def test_further_answers_of_a_plain_reader_are_no_alternatives():
    reply = reply_to(Dialogue(), answer(FERRY, "an hour", 0.9), answer(HALL, "40 beds", 0.8))
    assert reply.alternatives == ()


def test_several_answers_are_told_each_with_its_reading_down_to_the_threshold():
    found = [
        answer(FERRY, "an hour", 0.9),
        answer(HALL, "40 beds", 0.6),
        answer(FERRY, "daily", 0.4),
    ]
    composer = Composer(threshold=0.5, several=True)
    [reply] = composer.respond([Dialogue()], [QUERY], [[]], [found])
    assert (reply.text, [span.text for span in reply.literal]) == ("an hour", ["an hour"])
    [other] = reply.alternatives
    assert (other.answer.text, other.reading) == ("40 beds", "The hall")


def test_nearest_sentence_is_not_a_question():
    faq = Passage("faq.md", 0, 44, "How long does it take? It may take an hour.")
    nearest = nearest_sentence(Query("How long does it take?"), [Hit(faq, 1.0)])
    assert nearest is not None
    assert nearest.text == "It may take an hour."


def test_no_sentence_is_nearest_when_none_shares_a_term():
    assert nearest_sentence(Query("hello"), [Hit(FERRY, 1.0)]) is None
    assert nearest_sentence(Query("?"), []) is None
