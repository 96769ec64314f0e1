/** The English strings of dialogs and tasks. */

const counted = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

export const consoleStrings = {
  console: {
    work: "What you read and do",
    dialog: "Conversation and answer",
    turns: "Conversation",
    practice: "Practice",
    turnPay: (sum) => `this turn adds ${sum}`,
    end: "End",
    menu: "Leave or report",
    leave: "Leave before the end",
    report: "Report the partner",
  },

  partner: {
    typing: (name) => `${name} is writing`,
    waiting: (name) => `Waiting for the ${name.toLowerCase()}`,
    away: (name) => `The ${name.toLowerCase()} has lost the connection.`,
    grace: (seconds) => `Back within ${seconds} s, or the conversation ends.`,
  },

  ending: {
    endTitle: "End the conversation?",
    endText: "Both of you are paid for what was done.",
    end: "End it",
    leaveTitle: "Leave the conversation?",
    leaveText: "It ends for both of you before its end, and you may lose a part of your pay.",
    leave: "Leave",
    reportTitle: "Report the partner",
    reportText: "The conversation ends, and the researchers look at it. Your partner does not learn who reported.",
    problem: "What is wrong?",
    details: "Details (may stay empty)",
    report: "Report",
  },

  ended: {
    title: "The conversation has ended",
    pay: (sum) => `You earned ${sum} with it.`,
    survey: "To the survey",
    short: {
      completed: "completed",
      limit: "full length",
      unanswerable: "too many unanswerable",
      left: "left",
      "partner left": "left",
      idle: "idle",
      "partner idle": "idle",
      reported: "reported",
      stopped: "stopped",
    },
    reasons: {
      completed: "It is complete. Thank you.",
      limit: "It has reached its full length. Thank you.",
      unanswerable: "Too many questions had no answer.",
      left: "You left it.",
      "partner left": "Your partner left.",
      idle: "You did nothing for too long.",
      "partner idle": "Your partner did nothing for too long.",
      reported: "It was reported to the researchers.",
      stopped: "The researchers ended it.",
    },
  },

  ask: {
    label: "Your question",
    placeholder: "Ask a question",
    wait: "Wait for the answer",
    send: "Ask",
  },

  answer: {
    label: "Your answer",
    send: "Send",
  },

  draft: {
    label: "The assistant proposes",
    none: "no answer",
    use: "Use it, then edit",
  },

  reading: {
    hint: "Select words with the mouse, or tap the first and the last word. With the keyboard: ← and → go from word to word, Shift extends, Enter takes, Esc clears.",
  },

  browser: {
    label: "Pages",
    back: "Back",
    forward: "Forward",
    visited: "Visited pages",
    loading: "Loading",
    page: (title) => `Page ${title}`,
  },

  quac: {
    section: "Section",
    sectionLabel: (title) => `Section ${title}`,
    hidden: "Your partner sees the text of this section. Ask to learn as much as possible about it.",
    backgroundOf: (title) => `What the student sees of ${title}`,
    firstQuestion: "Ask the first question.",
    awaitQuestion: "Wait for the question of the student.",
    unanswerableLeft: (left) => (left > 0 ? "One more question without an answer is possible." : "The next question without an answer ends the conversation."),
    noAnswer: "No answer",
    select: "Select the words of the section that answer the question.",
    continuation: "Should the student ask more about this?",
    continuations: { "follow up": "Follow up", maybe: "Maybe", "don't": "Don't follow up" },
    advice: { "follow up": "Ask more about this", maybe: "You might ask more about this", "don't": "Better ask about something else" },
    affirmation: "Does the answer say yes or no?",
    affirmations: { yes: "Yes", no: "No", neither: "Neither" },
  },

  topiocqa: {
    documents: "Documents",
    documentsText: "The answerer has opened these, or an answer links to them. You see their titles; the answerer reads the text.",
    linked: "linked in an answer",
    firstQuestion: (seed) => `Ask a first question about ${seed}.`,
    awaitQuestion: "Wait for the next question.",
    rationale: "Words that justify the answer",
    select: "Select the words of the page that justify your answer.",
  },

  pragmaticqa: {
    learning: (topic) => `You are learning about ${topic}`,
    studentText: "Ask what you really want to know. After your next question you rate the reply before it, while the teacher works.",
    rounds: (done, minimum) => (done < minimum ? `${counted(minimum - done, "round", "rounds")} to go` : `${counted(done, "round", "rounds")}; you may end`),
    firstQuestion: "Ask the first question.",
    awaitQuestion: "Wait for the question of the student.",
    rate: "Rate the reply before",
    rateText: "The teacher works on your question meanwhile.",
    rated: {
      question: "You asked",
      answer: "The reply",
      literal: "Words chosen as the literal answer",
      pragmatic: "Words chosen as further information",
    },
    ratings: {
      natural: "The reply sounds natural, as of a person in conversation.",
      literal: "The words chosen as the literal answer answer the question.",
      pragmatic: "The further words tell what I would have asked next, or lead on.",
      faithful_literal: "The reply says what the words of the literal answer say.",
      faithful_pragmatic: "The reply says what the further words say.",
    },
    ends: ["not at all", "fully"],
    sendRating: "Send the rating",
    chosenSpans: "Words chosen for it",
    noSpans: "none",
    steps: { label: "Steps of an answer", literal: "Literal answer", pragmatic: "Further information", paraphrase: "Your reply" },
    literalText: "Select the words that answer the question literally, and add them; or choose one of the answers below.",
    pragmaticText: "Add words that answer what the student may ask next, or that lead on. This may stay empty.",
    paraphraseText: "Combine both in a reply in your own words, as you would say it in conversation.",
    noLiteral: "Nothing is chosen yet.",
    noPragmatic: "Nothing is chosen yet.",
    add: "Add the selected words",
    instead: "In place of words",
    literalAnswers: { yes: "Yes", no: "No", "don't know": "I don't know" },
    next: "Next step",
    reply: "Your reply",
  },

  qaconv: {
    conversation: "A conversation",
    hint: "Words that you select become the answer. With the keyboard: ← and → go from word to word, Shift extends.",
    readHint: "Read this part of a conversation.",
    settings: {
      write: { title: "Write a question", text: "Write a question that this conversation answers, and its answer in the words of the conversation." },
      choose: { title: "Answer a question", text: "Choose one of these questions and answer it. You may change the question." },
      unanswerable: { title: "Write a question without an answer", text: "Write a question about at least three people or things of this conversation which it does not answer." },
    },
    offered: "Questions to choose from",
    question: "Question",
    answer: "Answer",
    answerAgain: "Answer this question with words of the conversation.",
    givenAnswer: "Answer",
    givenNone: "The question is said to be unanswerable.",
    judge: "What do you think?",
    options: {
      A: "Question and answer look good.",
      B: "The question is not answerable.",
      C: "The answer is wrong.",
      D: "The answer is right, but I prefer another one.",
    },
    better: "The answer that you prefer",
    submit: "Hand in",
  },
};
