import pytest

from seminar.answering.meta_questions import MetaQuestion, recognise

RECOGNISED = {
    "greeting": [
        "Hello!", "hi there", "Hey", "Good morning", "good evening everyone", "How are you today?",
        "Nice to meet you.",
    ],
    "thanks": [
        "Thanks!", "thank you very much", "Great, thanks", "ok thank you for your help",
        "many thanks", "Cheers!", "That was very helpful", "thanks for all your answers",
        "That helps a lot.",
    ],
    "farewell": ["Bye!", "goodbye for now", "See you later", "That's all for today, thanks"],
    "acknowledgement": ["OK.", "I see", "Got it!", "makes sense", "Interesting."],
    "abilities": [
        "What can you do?", "what can you do for me", "So what do you do?", "Who are you?",
        "help", "Can you help me?", "How do you work?", "What can I ask you?",
        "What kinds of questions can I ask?", "how do I use this tool?", "what are you good at?",
    ],
    "files": [
        "What files do you have?", "which documents can you search?", "Show me your sources",
        "List all files, please", "what pages have you indexed?", "How many documents do you have?",
        "What's in here?", "What are these files about?", "what do you know?",
        "What documents are there?", "What is in this folder?",
    ],
    "sections": [
        "Which sections mention the organ?", "What do you know about the ferry?",
        "Where can I read more about storm petrels?", "which files are about parking",
        "Do you have anything on Ada Lovelace?", "Is there something about refunds?",
        "What do the files say about the fire?", "Show me the passages on moss",
    ],
    "summary": [
        "Summarise the ferry's history.", "can you summarize that?", "Please sum up the minutes",
        "Give me a short summary of the panel", "tl;dr", "What's the gist?", "Recap",
        "I need an overview of the halls", "overview of the collection",
    ],
    "said": [
        "What was said in general since 3 May 2024?", "what was discussed yesterday?",
        "What has been posted in #boathouse?", "What did people say in the last week?",
        "What happened in the boathouse channel?",
    ],
    "comparison": [
        "Compare the old hall and the new hall", "can you compare tea with coffee?",
        "Give me a comparison of the two boats and the raft", "compare them",
    ],
    "repetition": [
        "What did you just say?", "Say that again", "Could you repeat that, please?",
        "Pardon?", "what was your last answer?", "Come again?",
    ],
    "doubt": [
        "Are you sure?", "are you really certain about that?", "Really?", "Is that right?",
        "How confident are you?", "That can't be right.", "I don't believe that", "is it true?",
    ],
    "evidence": [
        "Why do you say that?", "What makes you think so?", "How do you know?",
        "how do you know that?",
        "Where did you get that from?", "What's your source?", "Where does it say that?",
        "Says who?", "Show me the evidence for that", "prove it",
    ],
    "more": [
        "tell me more", "More!", "And what else?", "Could you tell me more about it?",
        "go on please", "is there anything else?", "What comes next?",
    ],
    "choice": [
        "the second", "The second one.", "No, the other one", "not that one",
        "I meant the last one", "and what about the other?",
    ],
    "speaker": ["Who said that?", "And who wrote this?", "But who says so?"],
}  # fmt: skip

FOR_THE_FILES = [
    "", "?",
    "What can you do in the gardens?", "What can you do about moss on a roof?",
    "What files does the clerk keep?", "What files do the auditors have?",
    "Thanks to whom was it built?", "Who thanked the mayor?", "Thank you cards: how much are they?",
    "Hello Kitty stall opening times?", "When is Good Friday service?", "How are you billed?",
    "How are you supposed to book a berth?", "Hi-fi shop address?",
    "Which documents do you need for a permit?", "What documents do you have to bring?",
    "What sources are there of income?", "What notes are there on the margin?",
    "What was said about the lift?", "What was written by Ada?", "What happened in 1953?",
    "How many files are there in the archive?", "How many pages does the diary have?",
    "Who are you supposed to call?", "What are you allowed to bring?",
    "How do you work the kiln?", "How do you use the kiln?", "Help desk number?",
    "How can you help the owls?", "What do you do if the bell fails?",
    "What can I ask the porter for?",
    "Which sections of the wall fell?", "Which pages were torn out?",
    "Which documents are about to expire?", "Where can I read the minutes?",
    "Where can I find the key?", "Is there something on the roof?", "Is there anything to eat?",
    "Do you have to say anything on arrival?", "What do you know when you pass the exam?",
    "Who summarised the report?", "What does the summary say about costs?",
    "What is the summary judgment?", "When was the outline drawn?", "What do the fees sum up to?",
    "How does the old hall compare with the new one?", "What was compared with the older mill?",
    "What is the difference between the old hall and the new hall?",
    "What did you say to the mayor?", "What did she just say?", "Can you repeat the exam?",
    "What was that bridge called?", "What was that for?", "When was he granted a pardon?",
    "Are you sure to get a seat?", "Is that right of way open?",
    "Is that true of the second edition?", "Is it true that the mill burned down?",
    "How certain is the date?", "How sure was Ada of the date?",
    "Why do you say that in German?", "How do you know when it is done?",
    "How do you know which bin to use?", "Where did you get the boat?",
    "What is the source of the river?", "What is the evidence for the flood?",
    "Where does it say to park?", "Where was that written?", "Who says grace?",
    "Is there more bread?", "What else did Ada run?", "moreover",
    "Tell me about the more recent one",
    "What is next to the mill?", "Anything else about the mill?",
    "Who said that the mill would close?", "Who wrote this opera's libretto?",
    "What about the second hall?", "The other hall?", "Not that mill?", "Which is the last one?",
    "Really old trees: how many are there?", "Great hall capacity?", "Fine for late return?",
    "Is it OK to bring a dog?", "Right bank or left bank?", "Goodbye party date?",
    "Show me how the pump works", "List the members of the council", "What is in the stew?",
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "question"), [(kind, one) for kind, forms in RECOGNISED.items() for one in forms]
)
def test_question_about_the_conversation_has_its_kind(kind: str, question: str):
    found = recognise(question)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize("question", FOR_THE_FILES)
def test_question_of_similar_form_is_left_to_the_files(question: str):
    assert recognise(question) is None


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("Which sections mention the Organ?", ("the Organ",)),
        ("Could you summarise Ada Lovelace’s notes, please?", ("Ada Lovelace's notes",)),
        ("ok, compare Old Hall with New Hall", ("Old Hall", "New Hall")),
        ("Summarise", ()),
        ("What files do you have?", ()),
    ],
)
def test_topics_are_named_as_typed(question: str, topics: tuple[str, ...]):
    found = recognise(question)
    assert found is not None
    assert found.topics == topics


def test_long_message_is_left_to_the_files():
    assert recognise(f"Summarise {'the very long report ' * 6}") is None


def test_kind_without_topic_has_none():
    assert recognise("Thanks!") == MetaQuestion("thanks")
