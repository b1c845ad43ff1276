import type { Priority, WorkOrderStatus, WorkOrderType } from '../../work-orders/index.ts'

/** How a word is looked up: without case, spaces and signs. */
export const wordOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

const table = <T extends string>(words: Record<T, string>): Record<string, T> =>
  Object.assign(
    Object.create(null),
    ...Object.entries<string>(words).map(([value, names]) =>
      Object.fromEntries([value, ...names.split(',')].map((name) => [wordOf(name), value])),
    ),
  )

export const STATUS_WORDS = table<WorkOrderStatus>({
  backlog: 'backlog,triage,open,new,to do,icebox',
  ready: 'ready,todo,selected for development,ready for development,planned,next,unstarted,reopened',
  in_progress: 'in progress,started,doing,in development,active',
  in_review: 'in review,review,code review,in testing,testing,qa,ready for review,resolved for review',
  blocked: 'blocked,on hold,waiting,impeded',
  completed: 'completed,complete,done,closed,resolved,released,shipped,canceled,cancelled,duplicate,wont do,wont fix',
})

export const PRIORITY_WORDS = table<Priority>({
  urgent: 'urgent,highest,blocker,critical,p0,1',
  high: 'high,major,p1,2',
  medium: 'medium,normal,p2,3',
  low: 'low,lowest,minor,trivial,p3,p4,4',
  no_priority: 'no priority,none,0,undefined,not set',
})

export const TYPE_WORDS = table<WorkOrderType>({
  build: 'build,story,user story,task,feature,new feature,improvement,subtask,epic,enhancement',
  fix: 'fix,bug,defect,incident,hotfix',
  design: 'design',
  research: 'research,spike,investigation',
  test: 'test,test case',
  documentation: 'documentation,docs',
  chore: 'chore,technical task,maintenance,tech debt',
  none: 'none,no type',
})
