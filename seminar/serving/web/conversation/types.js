/**
 * The shapes of the API that the conversation shows.
 * @typedef {{text: string, source: string, start: number, end: number, title: string,
 *   section: string, page: number | null, line: number | null, place?: string | null, speaker: string | null,
 *   time: string | null, before?: string, after?: string}} Span
 * @typedef {{source: string, title: string, section: string, score: number, start: number,
 *   end: number, text: string}} Hit
 * @typedef {{text: string, answerable: boolean, literal: Span[], pragmatic: (Span & {role: string})[],
 *   affirmation: string, alternatives: {text: string, reading: string, span: Span}[],
 *   followups: string[], topic: string, switch: string | null, score: number | null, meta: boolean,
 *   nearest: Span | null, query: string, representations?: {text: string, weight: number}[],
 *   notes: string[], hits: Hit[], seconds: number,
 *   prose?: {text: string, segments: {text: string, spans: Span[], score: number, side?: string,
 *     role?: string | null}[], clarification?: string, left_out: number, tokens: {read: number, written: number}} | null}} Reply
 * @typedef {{number: number, question: string, reply: Reply, feedback: object | null}} Turn
 * @typedef {{question: string, key: string, number: number, stage: "asking" | "searched" | "writing" | "answered"
 *   | "stopped" | "failed", query: string, hits: Hit[], reply: Reply | null, quick: Reply | null, draft: string, error: Error | null}} Live
 */
export {};
