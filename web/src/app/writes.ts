/** Every kind of write, so that one which waited through a reload is sent whichever page is opened first. */
import '../work-orders/detail/comments.ts'
import '../work-orders/create/creation.ts'
import '../work-orders/edits.ts'
import '../work-orders/labels/edits.ts'
import '../work-orders/phases/edits.ts'
import '../work-orders/texts.ts'
import '../work-orders/views/saved-views.ts'
