/** What a person's own words replace in a text. */
export const DATE = '{date}'
export const QUOTE = '{quote}'

interface Template {
  subject: string
  text: string
  /** Below the text, with the link after it. */
  unsubscribe: string
  /** The page that the link opens. */
  page: { title: string; question: string; button: string; done: string }
}

export const DEFAULT_LANGUAGE = 'en'

/** Drafts in the languages that triage reads. Whoever writes in another one gets the English text. */
export const TEMPLATES: Record<string, Template> = {
  en: {
    subject: 'What you told us has changed',
    text: `Hello,\n\non ${DATE} you wrote: “${QUOTE}”\n\nYou were right. We have changed this.\n\nThank you for telling us. If it still goes wrong, please let us know.`,
    unsubscribe: 'Do not write to me about my feedback again:',
    page: {
      title: 'Unsubscribe',
      question: 'We write to you only when something that you reported has changed.',
      button: 'Do not write to me again',
      done: 'Done. We will not write to you about your feedback again.',
    },
  },
  de: {
    subject: 'Was Sie uns gemeldet haben, ist geändert',
    text: `Guten Tag,\n\nam ${DATE} schrieben Sie: „${QUOTE}“\n\nSie hatten recht. Wir haben das geändert.\n\nVielen Dank für Ihren Hinweis. Wenn es noch nicht stimmt, schreiben Sie uns bitte.`,
    unsubscribe: 'Bitte schreiben Sie mir nicht mehr zu meinen Rückmeldungen:',
    page: {
      title: 'Abmelden',
      question: 'Wir schreiben Ihnen nur, wenn sich etwas geändert hat, das Sie gemeldet haben.',
      button: 'Schreiben Sie mir nicht mehr',
      done: 'Erledigt. Wir schreiben Ihnen nicht mehr zu Ihren Rückmeldungen.',
    },
  },
  es: {
    subject: 'Hemos cambiado lo que nos contó',
    text: `Hola:\n\nEl ${DATE} nos escribió: «${QUOTE}»\n\nTenía razón. Lo hemos cambiado.\n\nGracias por avisarnos. Si todavía falla, díganoslo, por favor.`,
    unsubscribe: 'No me escriban más sobre mis comentarios:',
    page: {
      title: 'Darse de baja',
      question: 'Solo le escribimos cuando cambia algo que usted nos comunicó.',
      button: 'No me escriban más',
      done: 'Hecho. No le escribiremos más sobre sus comentarios.',
    },
  },
  fr: {
    subject: 'Ce que vous nous avez signalé a changé',
    text: `Bonjour,\n\nle ${DATE}, vous nous avez écrit : « ${QUOTE} »\n\nVous aviez raison. Nous l’avons changé.\n\nMerci de nous l’avoir dit. Si le problème persiste, écrivez-nous.`,
    unsubscribe: 'Ne plus m’écrire au sujet de mes remarques :',
    page: {
      title: 'Se désabonner',
      question: 'Nous vous écrivons seulement lorsque quelque chose que vous avez signalé a changé.',
      button: 'Ne plus m’écrire',
      done: 'C’est fait. Nous ne vous écrirons plus au sujet de vos remarques.',
    },
  },
  it: {
    subject: 'Abbiamo cambiato ciò che ci ha segnalato',
    text: `Buongiorno,\n\nil ${DATE} ci ha scritto: «${QUOTE}»\n\nAveva ragione. L’abbiamo cambiato.\n\nGrazie per la segnalazione. Se non funziona ancora, ce lo scriva.`,
    unsubscribe: 'Non scrivetemi più sulle mie segnalazioni:',
    page: {
      title: 'Annulla l’iscrizione',
      question: 'Le scriviamo solo quando cambia qualcosa che ha segnalato.',
      button: 'Non scrivetemi più',
      done: 'Fatto. Non le scriveremo più sulle sue segnalazioni.',
    },
  },
  pt: {
    subject: 'Mudámos o que nos contou',
    text: `Olá,\n\nem ${DATE} escreveu-nos: “${QUOTE}”\n\nTinha razão. Já o mudámos.\n\nObrigado por nos avisar. Se ainda não estiver bem, escreva-nos.`,
    unsubscribe: 'Não me escrevam mais sobre os meus comentários:',
    page: {
      title: 'Cancelar a subscrição',
      question: 'Só lhe escrevemos quando muda algo que nos comunicou.',
      button: 'Não me escrevam mais',
      done: 'Feito. Não lhe escreveremos mais sobre os seus comentários.',
    },
  },
  nl: {
    subject: 'Wat u ons meldde, is veranderd',
    text: `Goedendag,\n\nop ${DATE} schreef u: “${QUOTE}”\n\nU had gelijk. We hebben het veranderd.\n\nBedankt voor uw bericht. Gaat het nog steeds mis, laat het ons dan weten.`,
    unsubscribe: 'Schrijf mij niet meer over mijn feedback:',
    page: {
      title: 'Afmelden',
      question: 'We schrijven u alleen als er iets veranderd is dat u hebt gemeld.',
      button: 'Schrijf mij niet meer',
      done: 'Klaar. We schrijven u niet meer over uw feedback.',
    },
  },
  pl: {
    subject: 'Zmieniliśmy to, co Państwo zgłosili',
    text: `Dzień dobry,\n\n${DATE} otrzymaliśmy od Państwa wiadomość: „${QUOTE}”\n\nMieli Państwo rację. Zmieniliśmy to.\n\nDziękujemy za zgłoszenie. Jeśli problem nadal występuje, prosimy o wiadomość.`,
    unsubscribe: 'Proszę nie pisać do mnie więcej o moich zgłoszeniach:',
    page: {
      title: 'Rezygnacja',
      question: 'Piszemy do Państwa tylko wtedy, gdy zmieniło się coś, co Państwo zgłosili.',
      button: 'Proszę do mnie nie pisać',
      done: 'Gotowe. Nie będziemy więcej pisać o Państwa zgłoszeniach.',
    },
  },
  ja: {
    subject: 'ご意見をいただいた点を改善しました',
    text: `こんにちは。\n\n${DATE}に「${QUOTE}」とのご意見をいただきました。\n\nご指摘のとおりでしたので、改善いたしました。\n\nお知らせいただきありがとうございました。まだ問題がある場合はご連絡ください。`,
    unsubscribe: '今後このようなお知らせが不要な場合:',
    page: {
      title: '配信停止',
      question: 'お知らせいただいた内容に変更があった場合にのみご連絡しています。',
      button: '今後連絡を受け取らない',
      done: '完了しました。今後、ご意見についてのご連絡はいたしません。',
    },
  },
}

/** The language of a draft for somebody who writes in `language`. */
export const draftLanguage = (language: string | undefined) =>
  language !== undefined && language in TEMPLATES ? language : DEFAULT_LANGUAGE
