/** What the API answers with, as the page reads it; `/api/v1/openapi.json` is the whole truth. */

export interface Memory {
  id: string;
  number: number;
  text: string;
  scope: string;
  kind: string;
  tags: string[];
  status: string;
  origin: string;
  standing: string;
  created_at: string;
  updated_at: string;
  revision: number;
  importance: number;
  confidence: number;
  pinned?: boolean;
  category?: string;
  topic?: string;
  priority?: number;
  memory_type?: string;
  status_at?: string;
  status_reason?: string;
  successor?: string;
  source?: string;
  surface?: string;
  actor?: string;
  session?: string;
  capture_mode?: string;
  confirmed_at?: string;
  expires_at?: string;
  valid_from?: string;
  valid_to?: string;
  project?: string;
  project_name?: string;
  waits?: boolean;
  flags?: string[];
  usage?: { count: number; used_at: string | null; surface: string | null };
}

export interface Hit extends Memory {
  relevance: number;
  reason: string;
  matched_words?: string[];
  word_score: number | null;
  vector_score: number | null;
}

export interface Other {
  kind: string;
  id: string;
  part: string | null;
  scope: string;
  at: string;
  title: string;
  excerpt: string;
  relevance: number;
  reason: string;
  open_with: string;
  project_name?: string;
}

export interface Recalled {
  hits: Hit[];
  others: Other[];
  omitted: number;
  mode: string;
  warnings: string[];
}

export interface Listed {
  memories: Memory[];
  total: number | null;
  next_cursor: string | number | null;
}

export interface Quotation {
  text: string | null;
  session?: string | null;
  turn?: number | null;
  role?: string | null;
  said_at?: string | null;
}

export interface Evidence {
  id: string;
  source: string;
  lines: { first: number; last: number } | null;
  snippet: string | null;
  status: string;
  detail: string | null;
  checked_at: string | null;
}

export interface Relation {
  kind: string;
  direction: "from" | "to";
  memory: Memory;
  reason: string | null;
  created_at: string;
}

export interface Shown {
  memory: Memory;
  why_waiting: string | null;
  quotation: Quotation | null;
  session: { id: string; title: string; saved_at: string } | null;
  evidence: Evidence[];
  replaced: Memory[];
  replaced_by: Memory | null;
  proposals: Memory[];
  relations: Relation[];
}

export interface Event {
  id: string;
  type: string;
  actor: string;
  at: string;
  payload: Record<string, unknown>;
}

export interface History {
  revisions: { recorded_at: string; actor: string | null; memory: Memory }[];
  events: Event[];
}

export interface Acted {
  memories: Memory[];
  problems: { id: string; code: string; message: string }[];
  undo: string | null;
}

export interface Remembered {
  memory: Memory;
  outcome: string;
  near: Memory[];
  contradicts: (Memory & { reason: string })[];
  warnings: string[];
  undo: string | null;
}

export interface Reach {
  memories: Memory[];
  revisions: number;
  relations: number;
  events: number;
  sessions: { id: string; title: string; turns: number }[];
  learnt: number;
  evidence?: number;
  notes?: number;
  copies: string[];
}

export interface Stage {
  stage: string;
  meaning?: string;
  count: number;
  elapsed_ms: number;
  scores?: { number: number; value: number; parts: Record<string, number> }[];
  drops?: { number: number; reason: string }[];
}

export interface Explained {
  query: string;
  effective_mode: string;
  verdict: string;
  steps: Stage[];
  path: { stage: string; said: string }[];
  hits: Hit[];
  trace: Stage[];
  warnings: string[];
}

export interface Waiting {
  why: string;
  memory: Memory;
  stands: Memory[];
  before: Memory[];
  quotation: Quotation | null;
  group: { kind: string; id: string; name: string };
}

export interface Pair {
  reason: string;
  older: Memory;
  newer: Memory;
}

export interface DreamChange {
  what: string;
  because: string;
  before: Memory[];
  after: Memory[];
  text: string | null;
}

export interface DreamPlan {
  plan_id: string;
  changes: DreamChange[];
  waiting: number;
  notes: string[];
}

export interface Session {
  id: string;
  label: string;
  summary: string;
  surface: string | null;
  scope: string;
  saved_at: string;
  held_at: string | null;
  project: string | null;
  turns: number;
  learnings: string[];
  quotes?: string[];
}

export interface LeftOut {
  turn: number;
  quote: string;
  reason: string;
}

export interface SessionShown {
  session: Session;
  learnt: { memory: Memory; quotation: { text: string; turn: number | null } | null; reason: string }[];
  left_out: LeftOut[] | null;
}

export interface Turn {
  number: number;
  role: string;
  text: string;
  said_at: string | null;
}

export interface Turns {
  turns: Turn[];
  total: number;
  next_offset: number | null;
}

export interface Decision {
  id: string;
  scope: string;
  title: string;
  owner: string;
  area: string;
  context: string;
  decision: string;
  rationale: string;
  decided_at: string;
  impact: string;
  status: string;
  alternatives: string[];
  revert_plan: string | null;
  tags: string[];
  supersedes: string | null;
  superseded_by: string | null;
  revert_reason: string | null;
  project: string | null;
}

export interface DecisionShown {
  decision: Decision;
  chain: Decision[];
  history: Event[];
}

export interface Brought {
  id: string;
  why: string;
  tokens: number;
  memory: Memory | null;
}

export interface Health {
  book: {
    place: string | null;
    exists: boolean;
    memories: number;
    bytes: number;
    schema: string;
    last_written: string | null;
    scopes: { scope: string; memories: number }[];
  };
  model: { name: string; installed: boolean; without_vector: number };
  waiting: number;
  wrong: string[];
  hosts: string[];
  hooks: string[];
  hooks_now: string[];
  inject: string | null;
  capture: string | null;
  injected: {
    sessions: { session: string; host: string; folder: string; at: string; tokens: number; memories: number; brought: Brought[] }[];
    tokens: number;
  } | null;
  person_only: boolean;
}

export interface Check {
  name: string;
  ok: boolean;
  message: string;
  remedy: string | null;
}

export interface Change {
  id: string;
  did: Record<string, number>;
  at: string;
  by: string;
  state: string;
}

export interface Choices {
  scopes: { scope: string; memories: number }[];
  projects: { id: string; name: string }[];
  kinds: string[];
  statuses: string[];
  origins: string[];
  tags: { tag: string; memories: number }[];
  topics: { topic: string; memories: number }[];
}

export interface Me {
  user: string;
  tenant: string | null;
  rights: string[];
  version: string;
  person: boolean;
  project: { id: string; name: string } | null;
  memories: number;
  waiting: number;
  model: string | null;
  words_only: boolean;
  signed_in: boolean;
}
