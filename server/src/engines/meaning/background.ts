import { type FeatureReader, MEANING } from './features.ts'
import { meanOf } from './space.ts'

/** Sentences that customers write about any product. Their mean is the prior for a project with few texts. */
const NEUTRAL = [
  'I have a question about your product',
  'It does not work as I expected',
  'Please help me with this',
  'How can I do that?',
  'Something went wrong when I tried it',
  'I would like to have another option',
  'Why is it not there yet?',
  'When will this be possible?',
  'I can not find where to change it',
  'It was fine yesterday and today it is not',
  'Can you tell me what is going on',
  'I want to get this fixed soon',
  'There is a problem with my account',
  'It would be nice if it were faster',
  'I tried it several times',
  'What should I do now?',
]
/** The weight of the prior, in texts. `bench/triage` measures its effect. */
export const PRIOR_COUNT = 12

export const readPrior = (reader: FeatureReader): Float32Array =>
  meanOf(
    NEUTRAL.map((text) => reader.read(text).meaning),
    new Float32Array(MEANING),
    0,
  )
