/** Every kind of write that waits, so that one which waited through a reload is sent whichever page is opened first. */
import './approval/edits.ts'
import './review/comment-edits.ts'
import './tree/creation.ts'
import './tree/deletion.ts'
import './tree/edits.ts'
