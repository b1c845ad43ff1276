import { type ModuleCode, plainAction } from '../../src/lib/module.ts'

export const berths: ModuleCode = {
  Sidebar: () => <nav aria-label="Piers">North pier</nav>,
  create: () => document.body.append('A new berth'),
  palette: async () => ({ actions: ({ open }) => [plainAction('go', 'Free berths', null, () => open('berths'))] }),
}
