import { readPrior } from '../../engines/meaning/background.ts'
import { type Features, loadFeatureReader } from '../../engines/meaning/features.ts'

/** Runs in a thread: see `threads.ts`. The models are there from its start to its end. */
const reader = await loadFeatureReader(new URL('../../../assets/', import.meta.url))

export const readTexts = (texts: string[]): Features[] => texts.map((text) => reader.read(text))

/** What texts are compared with besides their features. */
export const readLanguage = () => ({ prior: readPrior(reader), rarities: reader.rarities })
