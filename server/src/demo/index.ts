/**
 * The project of the demo: "Harbor Checkout", a shop that builds its own checkout. The texts are in `content/`; the code
 * plans what happened in the project, lets it happen through the actions of the slices, and dates it back.
 */
export { type FilledDemo, fillDemo, PROJECT } from './fill.ts'
export { describeDemo } from './summary.ts'
