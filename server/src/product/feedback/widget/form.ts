import { make } from './element.ts'
import { Refused } from './send.ts'

const MOST_FILES = 20

/** The dialog: its elements and its behaviour. */
export function createForm(
  send: (email: string, content: string, files: File[]) => Promise<number>,
  email: string,
  takesPictures: boolean,
) {
  const files: File[] = []
  const address = make('input', { id: 'e', type: 'email', required: '', maxlength: '320', autocomplete: 'email' })
  address.value = email
  const content = make('textarea', { id: 'c', required: '', maxlength: '100000' })
  if (takesPictures) content.setAttribute('aria-describedby', 'h')
  const chooser = make('input', { id: 'f', type: 'file', accept: 'image/*', multiple: '' })
  const list = make('ul', { role: 'list', 'aria-label': 'Attached screenshots' })
  const status = make('p', { class: 'note', role: 'status' })
  const wrong = make('p', { class: 'note wrong', role: 'alert' })
  const cancel = make('button', { type: 'button' }, 'Cancel')
  const submit = make('button', { class: 'main' }, 'Send')
  const fields = make(
    'div',
    {},
    make('label', { for: 'e' }, 'Your e-mail address'),
    address,
    make('label', { for: 'c' }, 'What would you like to tell us?'),
    content,
  )
  if (takesPictures)
    fields.append(
      make('label', { for: 'f' }, 'Screenshots (optional)'),
      chooser,
      make('p', { class: 'hint', id: 'h' }, 'You can also paste a screenshot here.'),
      list,
    )
  const form = make('form', { novalidate: '' }, fields, wrong, status, make('div', { class: 'row' }, cancel, submit))
  const dialog = make('dialog', { 'aria-labelledby': 't' }, make('h2', { id: 't' }, 'Send feedback'), form)

  function attach(added: Iterable<File>) {
    for (const file of added) {
      if (files.length === MOST_FILES) return say(wrong, `At most ${MOST_FILES} files can be attached.`)
      files.push(file)
      list.append(entryOf(file))
    }
  }

  function entryOf(file: File): HTMLLIElement {
    const picture = make('img', { alt: '' })
    picture.src = URL.createObjectURL(file)
    const remove = make('button', { type: 'button', 'aria-label': `Remove ${file.name}` }, 'Remove')
    const entry = make('li', {}, picture, make('span', {}, file.name), remove)
    remove.onclick = () => {
      URL.revokeObjectURL(picture.src)
      files.splice(files.indexOf(file), 1)
      entry.remove()
      content.focus()
    }
    return entry
  }

  function firstFault(): HTMLInputElement | HTMLTextAreaElement | undefined {
    const faulty = [address, content].filter((field) => !field.checkValidity() || !field.value.trim())
    for (const field of [address, content]) field.setAttribute('aria-invalid', String(faulty.includes(field)))
    return faulty[0]
  }

  async function submitForm() {
    say(wrong)
    const fault = firstFault()
    if (fault) {
      say(
        wrong,
        fault === address ? 'Enter your e-mail address, such as you@example.org.' : 'Write what you want to tell us.',
      )
      return fault.focus()
    }
    submit.disabled = true
    say(status, 'Sending…')
    try {
      const number = await send(address.value.trim(), content.value, files)
      content.value = ''
      files.length = 0
      list.replaceChildren()
      say(status, `Thank you. Your feedback has the number ${number}.`)
      showFields(false)
      cancel.focus()
    } catch (err) {
      say(status)
      say(wrong, err instanceof Refused ? err.message : 'Something went wrong. Try again.')
    }
    submit.disabled = false
  }

  function showFields(shown: boolean) {
    fields.hidden = submit.hidden = !shown
    cancel.textContent = shown ? 'Cancel' : 'Close'
  }

  chooser.onchange = () => {
    attach(chooser.files ?? [])
    chooser.value = ''
  }
  dialog.onpaste = (event) => {
    if (!takesPictures) return
    const pasted = [...(event.clipboardData?.files ?? [])].filter((file) => file.type.startsWith('image/'))
    if (pasted.length > 0) event.preventDefault()
    attach(pasted)
  }
  dialog.onkeydown = (event) => {
    // Keep key events from the page.
    event.stopPropagation()
    if (event.key === 'Tab') keepFocusWithin(dialog, event)
  }
  cancel.onclick = () => dialog.close()
  form.onsubmit = (event) => {
    event.preventDefault()
    submitForm()
  }

  return {
    dialog,
    open() {
      showFields(true)
      say(status)
      say(wrong)
      dialog.showModal()
      ;(address.value ? content : address).focus()
    },
  }
}

function say(place: HTMLElement, words = '') {
  place.textContent = words
}

function keepFocusWithin(dialog: HTMLElement, event: KeyboardEvent) {
  const stops = [...dialog.querySelectorAll<HTMLElement>('input,textarea,button')].filter(
    (one) => one.offsetParent !== null && !(one as HTMLButtonElement).disabled,
  )
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
  if ((dialog.getRootNode() as ShadowRoot).activeElement !== from) return
  event.preventDefault()
  to?.focus()
}
