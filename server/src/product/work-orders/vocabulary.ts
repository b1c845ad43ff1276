import { type Db, isTransaction } from '../../kernel/database/index.ts'
import { findVocabulary, type VocabularyIds } from './vocabulary-queries.ts'
import type { Label, Person, Phase } from './work-order.ts'

/** What work orders refer to. Almost all refer to the same few phases, labels and people. */
export interface Vocabulary {
  phases: Map<string, Phase>
  labels: Map<string, Label>
  people: Map<string, Person>
}

/** The references of a row, and the revision of the vocabulary that it was read under. */
export interface Referring {
  phase_id: string | null
  assignee_id: string | null
  label_ids: string[]
  vocabulary: number
}

interface Memory extends Vocabulary {
  revision: number
}

const MOST_REMEMBERED = 20_000
const memories = new WeakMap<object, Memory>()
const blank = (revision: number): Memory => ({ revision, phases: new Map(), labels: new Map(), people: new Map() })

/**
 * Returns the vocabulary that the rows need, synchronously if all of it is known. Memory is valid while the revision,
 * which is read with the rows, stays the same. A transaction can see what never commits, so nothing that it reads is
 * remembered.
 */
export function vocabularyOf(db: Db, projectId: string, rows: Referring[]): Vocabulary | Promise<Vocabulary> {
  const memory = isTransaction(db) ? blank(0) : memoryOf(db, rows)
  return rows.every((row) => knows(memory, row)) ? memory : learn(db, projectId, memory, rows)
}

function knows({ phases, labels, people }: Vocabulary, { phase_id, assignee_id, label_ids }: Referring): boolean {
  if (phase_id !== null && !phases.has(phase_id)) return false
  if (assignee_id !== null && !people.has(assignee_id)) return false
  return label_ids.every((id) => labels.has(id))
}

async function learn(db: Db, projectId: string, memory: Vocabulary, rows: Referring[]): Promise<Vocabulary> {
  const found = await findVocabulary(db, projectId, missingFrom(memory, rows))
  for (const phase of found.phases) memory.phases.set(phase.id, phase)
  for (const label of found.labels) memory.labels.set(label.id, label)
  for (const person of found.people) memory.people.set(person.id, person)
  return memory
}

/** A new revision gets a new memory. Callers that still use the old one keep what they found. */
function memoryOf(db: Db, rows: Referring[]): Memory {
  const known = memories.get(db.runner.root)
  const revision = Math.max(rows[0]?.vocabulary ?? 0, known?.revision ?? 0)
  if (known && known.revision === revision && sizeOf(known) < MOST_REMEMBERED) return known
  const fresh = blank(revision)
  memories.set(db.runner.root, fresh)
  return fresh
}

const sizeOf = ({ phases, labels, people }: Vocabulary) => phases.size + labels.size + people.size

function missingFrom(known: Vocabulary, rows: Referring[]): VocabularyIds {
  const missing = { phases: new Set<string>(), labels: new Set<string>(), people: new Set<string>() }
  for (const { phase_id, assignee_id, label_ids } of rows) {
    if (phase_id !== null && !known.phases.has(phase_id)) missing.phases.add(phase_id)
    if (assignee_id !== null && !known.people.has(assignee_id)) missing.people.add(assignee_id)
    for (const id of label_ids) if (!known.labels.has(id)) missing.labels.add(id)
  }
  return { phases: [...missing.phases], labels: [...missing.labels], people: [...missing.people] }
}

/** Sorted by title, like the list of labels. */
export function labelsOf(vocabulary: Vocabulary, ids: string[]): Label[] {
  if (ids.length === 0) return []
  const labels: Label[] = []
  for (const id of ids) {
    const label = vocabulary.labels.get(id)
    if (label) labels.push(label)
  }
  return labels.length < 2 ? labels : labels.sort(byTitle)
}

function byTitle(one: Label, other: Label): number {
  const [first, second] = [one.title.toLowerCase(), other.title.toLowerCase()]
  if (first !== second) return first < second ? -1 : 1
  return one.id < other.id ? -1 : 1
}
