import { useMediaQuery } from '@mantine/hooks'

/* The widths at which screens change their layout. Stylesheets use the same numbers. */

export const PHONE = '(max-width: 720px)'
/** There is no room for a preview beside the results of a search. */
export const WITHOUT_PREVIEW = '(max-width: 960px)'
/** There is no room for cards beside a text. */
export const WITHOUT_MARGIN = '(max-width: 1040px)'
/** There is room for properties beside a page. */
export const WITH_INSPECTOR = '(min-width: 1081px)'
/** There is room for something beside the list that it was opened from. */
export const WITH_BESIDE = '(min-width: 1200px)'

/** Whether the window has such a width, also after it changes. */
export const useWidth = (query: string): boolean => useMediaQuery(query, false, { getInitialValueInEffect: false })
export const hasWidth = (query: string): boolean => matchMedia(query).matches
