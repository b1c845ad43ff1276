import { createStore } from './store.ts'

export interface Question {
  title: string
  text: string
  /** What the button does, in its own words: "Delete". */
  verb: string
  answer(isSure: boolean): void
}

/** The question that is asked now. The frame shows it. */
export const question = createStore<Question | undefined>(undefined)

/** Asks before something is lost, and says whether the person is sure. */
export const ask = (asked: Omit<Question, 'answer'>) =>
  new Promise<boolean>((resolve) => {
    question.get()?.answer(false)
    question.set({ ...asked, answer: resolve })
  })
