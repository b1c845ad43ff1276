/** Every kind of write, so that one which waited through a reload is sent whichever page is opened first. */
import '../connections/edits.ts'
import '../keys/edits.ts'
import './connect/edits.ts'
import './themes/edits.ts'
import './themes/notes.ts'
import './themes/regrouping.ts'
import './themes/telling/edits.ts'
import './inbox/edits.ts'
