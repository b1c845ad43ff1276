import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { downloadCsv } from '../../lib/csv.ts'
import { Button } from '../../ui/Button.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Select } from '../../ui/Select.tsx'
import { SettingsPage } from '../SettingsPage.tsx'
import { budgetQuery, followModels, modelQuery, usageQuery } from './api.ts'
import { BudgetCard } from './BudgetCard.tsx'
import { Low } from './Low.tsx'
import { ModelCard } from './ModelCard.tsx'
import css from './Models.module.css'
import { Usage } from './Usage.tsx'
import { usageCsv } from './usage-csv.ts'

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
  const usage = useQuery(usageQuery(project.id, { month }))
  const [day, setDay] = useState('')
  const ofDay = useQuery({ ...usageQuery(project.id, { day }), enabled: day !== '' })
  const days = [...new Set(usage.data?.automations.flatMap((one) => one.days.map((used) => used.day)))].toSorted()
  const failed = [model, budget, usage].find(({ isError, data }) => isError && data === undefined)
  const isAdmin = project.role === 'admin'
  const isPriced = (model.data?.is_priced ?? false) || (usage.data?.cost ?? 0) > 0
  return (
    <SettingsPage
      title="Models and budgets"
      lead="What agents may spend, and what came of it. Prices are those that are set for each model."
      actions={
        <Select
          label="Month"
          value={month}
          options={months}
          onPick={(next) => {
            setMonth(next)
            setDay('')
          }}
        />
      }
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
          <>
            <div className={css.days}>
              <Select
                label="Day"
                value={day}
                options={[{ value: '', label: 'Whole month' }, ...days.map((one) => ({ value: one, label: one }))]}
                onPick={setDay}
              />
              <Button
                look="quiet"
                icon={<IconDownload size={16} stroke={1.75} />}
                title="Download the usage of this month"
                onClick={() => downloadCsv(usageCsv(usage.data), project.name, 'usage', month)}
              >
                CSV
              </Button>
            </div>
            <Low usage={usage.data} projectId={project.id} />
            <Usage usage={usage.data} ofDay={day === '' ? undefined : ofDay.data} isPriced={isPriced} onDay={setDay} />
          </>
        ) : (
          <p className={css.none}>
            No agent used a model in this month. Runs and conversations are counted here as they go.
          </p>
        ))}
    </SettingsPage>
  )
}
