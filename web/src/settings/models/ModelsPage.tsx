import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Select } from '../../ui/Select.tsx'
import { SettingsPage } from '../SettingsPage.tsx'
import { budgetQuery, followModels, modelQuery, usageQuery } from './api.ts'
import { BudgetCard } from './BudgetCard.tsx'
import { ModelCard } from './ModelCard.tsx'
import css from './Models.module.css'
import { Usage } from './Usage.tsx'

const MONTHS = 12
const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** This month and those before it, by UTC. */
function recentMonths(): { value: string; label: string }[] {
  const now = new Date()
  return Array.from({ length: MONTHS }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return { value: first.toISOString().slice(0, 7), label: monthName.format(first) }
  })
}

export function ModelsPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  useEffect(followModels, [])
  const [months] = useState(recentMonths)
  const [month, setMonth] = useState(months[0]!.value)
  const model = useQuery(modelQuery(project.id))
  const budget = useQuery(budgetQuery(project.id))
  const usage = useQuery(usageQuery(project.id, month))
  const failed = [model, budget, usage].find(({ isError, data }) => isError && data === undefined)
  const isAdmin = project.role === 'admin'
  const isPriced = (model.data?.is_priced ?? false) || (usage.data?.cost ?? 0) > 0
  return (
    <SettingsPage
      title="Models and budgets"
      lead="What agents may spend, and what came of it. Prices are those that are set for each model."
      actions={<Select label="Month" value={month} options={months} onPick={setMonth} />}
    >
      {failed && <LoadFault what="Models and budgets" error={failed.error!} onRetry={() => void failed.refetch()} />}
      <div className={css.cards}>
        {model.data && <ModelCard projectId={project.id} model={model.data} isAdmin={isAdmin} />}
        {model.data && budget.data && (
          <BudgetCard projectId={project.id} budget={budget.data} isPriced={model.data.is_priced} isAdmin={isAdmin} />
        )}
      </div>
      {usage.data &&
        (usage.data.tokens > 0 ? (
          <Usage usage={usage.data} isPriced={isPriced} />
        ) : (
          <p className={css.none}>
            No agent used a model in this month. Runs and conversations are counted here as they go.
          </p>
        ))}
    </SettingsPage>
  )
}
