import { type Db, listOf } from '../../kernel/database/index.ts'
import type { Label, Person, Phase } from './work-order.ts'

export interface VocabularyIds {
  phases: string[]
  labels: string[]
  people: string[]
}

export async function findVocabulary(db: Db, projectId: string, ids: VocabularyIds) {
  const [found] = await db<{ phases: Phase[]; labels: Label[]; people: Person[] }[]>`
    select
      (select coalesce(json_agg(json_build_object('id', id, 'phaseNumber', phase_number, 'title', title)), '[]')
        from phases where project_id = ${projectId} and id = any(${listOf(ids.phases, 'uuid')})) as phases,
      (select coalesce(json_agg(json_build_object('id', id, 'title', title, 'color', color, 'archived', archived)), '[]')
        from labels where project_id = ${projectId} and id = any(${listOf(ids.labels, 'uuid')})) as labels,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'email', email)), '[]')
        from users where id = any(${listOf(ids.people, 'uuid')})) as people`
  return found!
}
