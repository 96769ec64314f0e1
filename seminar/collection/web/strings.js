/** Every English string of a study's pages, beside the shared ones. A translation replaces this file. */
import { adminStrings } from "./admin/strings.js";
import { consoleStrings } from "./consoles/strings.js";

const counted = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

export const strings = {
  notFound: "There is nothing at this address.",
  toStudy: "Go to the study",
  unknownView: "This page is older than the server. Load it again.",
  yourTurnTitle: (title) => `● Your turn: ${title}`,
  contact: (contact) => `Questions about the study: ${contact}`,
  goOn: "Continue",
  you: "You",
  sending: "Sending …",
  instructions: "Instructions",
  noticeRead: "Understood",
  unanswerable: "Unanswerable",
  yourAnswer: "Your answer",
  originalAnswer: "Original answer",
  dropSpan: (words) => `Take out “${words}”`,
  questionsOf: (done, most) => `${done} of ${most} questions`,
  turnsOf: (done, aim) => `${counted(done, "turn", "turns")} of at least ${aim}`,

  roles: {
    student: "Student",
    teacher: "Teacher",
    questioner: "Questioner",
    answerer: "Answerer",
    writer: "Writer",
    verifier: "Verifier",
    annotator: "Annotator",
    server: "Server",
  },

  connection: {
    open: "Connected",
    sending: "Saving …",
    lost: "Connecting again …",
    connecting: "Connecting …",
    closed: "Not connected",
  },

  menu: {
    label: "Menu of the study",
    pay: "Your pay",
    about: "About this study",
    withdraw: "Withdraw from the study",
  },

  withdraw: {
    title: "Withdraw from the study?",
    text: "Everything that you wrote and did here is deleted, also from what was collected so far. This can't be undone.",
    submit: "Withdraw and delete",
  },

  pay: {
    title: "Your pay",
    earned: "Earned so far",
    none: "Nothing was earned yet.",
    time: "Time",
    kind: "For",
    note: "Note",
    amount: "Amount",
    total: "Sum",
    file: "Save as CSV",
  },

  welcome: {
    start: "Take part",
    code: "Code of your invitation",
    preview: "This is a preview. Accept the task on the platform to take part.",
    states: {
      paused: "The study is paused. You can come back later.",
      closed: "The study has ended.",
    },
  },

  consent: {
    title: "Consent",
    agree: "I have read this and agree to take part.",
    submit: "Agree and continue",
    refuse: "I do not agree",
  },

  qualification: {
    title: "A short test",
    again: (left) => `Not all answers were right. You may try ${left === 1 ? "once" : `${left} times`} more.`,
    submit: "Hand in",
  },

  inclinations: {
    title: "What would you like to talk about?",
    text: "Say for each topic whether you want to learn about it or to teach it. Topic and roles of your conversation are chosen from the answers of both of you.",
    topic: "Topic",
    levels: {
      "-2": "Really want to learn",
      "-1": "Want to learn",
      0: "Not interested",
      1: "Want to teach",
      2: "Really want to teach",
    },
    missing: (count) => `${counted(count, "topic is", "topics are")} left.`,
    submit: "Continue",
  },

  background: {
    title: (topic) => `What do you know of ${topic}?`,
    text: (topic) => `Before you teach, say which of these pages belong to ${topic}. Please don't look it up.`,
    table: "Titles of pages",
    page: "Page",
    answers: { related: "Related", unrelated: "Unrelated", unknown: "I don't know" },
    submit: "Hand in",
  },

  exitSurvey: {
    title: "How was it?",
    ends: ["not at all", "very much"],
    submit: "Hand in",
  },

  lobby: {
    title: "What would you like to do?",
    talk: "A conversation",
    talkText: "You are paired with somebody who is here too.",
    enter: "Find a partner",
    enterAs: (role) => `Find a partner, as ${role.toLowerCase()}`,
    as: (role) => `as ${role.toLowerCase()}`,
    rolesText: "You may choose your part, or take the one that is needed.",
    begin: "Begin",
    nothing: "There is nothing to do at the moment. Come back later.",
    tasks: {
      write: {
        title: "Questions about a conversation",
        text: "Read a part of a conversation and write a question with its answer.",
        begin: "Begin a task",
      },
      validation: {
        title: "Answer a conversation again",
        text: "Answer the questions of a conversation that others held.",
        begin: "Begin an annotation",
      },
      verification: {
        title: "Check questions and answers",
        text: "Judge a question and its answer.",
        begin: "Begin a check",
      },
    },
    practice: {
      title: "Practice",
      text: "Try it first; the computer is your partner, and nothing of it counts.",
      begin: (role) => `Practice as ${role.toLowerCase()}`,
    },
  },

  waitingRoom: {
    title: "Waiting for a partner",
    time: "Time of waiting",
    people: (count) => (count <= 1 ? "Nobody else waits at the moment." : `${count} people wait here.`),
    text: "Keep this page open. It shows the conversation as soon as somebody is found, and the title of this tab changes.",
    leave: "Stop waiting",
  },

  messages: {
    unqualified: { title: "You can't take part yet", text: "The test was not passed. The researchers may still admit you." },
    blocked: { title: "You can't take part any more", text: "The researchers have excluded you from this study." },
    closed: { title: "The study has ended", text: "Thank you for your interest." },
    done: { title: "Thank you", text: (sum) => `You have done everything that there is for you. You earned ${sum}.` },
  },

  completion: {
    title: "Hand in your work",
    code: "Completion code",
    back: "Back to the platform",
  },

  ...consoleStrings,
  admin: adminStrings,
};
