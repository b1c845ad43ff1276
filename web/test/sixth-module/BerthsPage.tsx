import { TopBar } from '../../src/ui/TopBar.tsx'

export const BerthsPage = () => (
  <>
    <TopBar path={<strong>Berths</strong>} />
    <h1>No berths yet</h1>
  </>
)
