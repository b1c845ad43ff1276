/** Every kind of write, so that one which waited through a reload is sent whichever page is opened first. */
import '../connections/edits.ts'
import './create/creation.ts'
import './detail/comments.ts'
import './edits.ts'
import './labels/edits.ts'
import './phases/edits.ts'
import './texts.ts'
import './views/saved-views.ts'
