/** Sentences that customers write about any product. What they have in common, all texts have in common. */
export const NEUTRAL = [
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
  'Please add this to the app',
  'It would be great to have that',
  'Can you support this as well?',
  'It does not work at all, please fix it',
]
/** Their weight beside the texts of a collection, in texts. `bench/triage` measures its effect. */
export const NEUTRAL_WEIGHT = 12

/** Words that say how someone asks, not what for. They are rare in other texts and frequent in such. */
export const ASKING_WORDS =
  'please pls add need want wish would could should can like love help fix work working use using try tried get got make let allow possible option way nice great good thanks thank hi hello app thing something anything feature support able always never still since again just really'.split(
    ' ',
  )
