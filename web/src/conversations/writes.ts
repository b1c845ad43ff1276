/** Every kind of write, so that one which waited through a reload is sent whichever page is opened first. */
import './edits.ts'
