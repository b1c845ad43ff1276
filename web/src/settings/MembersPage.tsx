import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { leaveProject } from '../lib/leave-project.ts'
import { readSessionAgain } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { Button } from '../ui/Button.tsx'
import { IconShield, IconUserPlus } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { PopUp } from '../ui/PopUp.tsx'
import { type Member, membersQuery, ROLES, type Role } from './api.ts'
import { DangerZone } from './DangerZone.tsx'
import { removeMember, setMemberRole } from './edits.ts'
import type { Handover } from './hand-over.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { MemberRow } from './MemberRow.tsx'
import { PendingInvites } from './PendingInvites.tsx'
import { PendingRows } from './PendingRows.tsx'
import { RemoveMember } from './RemoveMember.tsx'
import css from './Settings.module.css'
import { SettingsPage } from './SettingsPage.tsx'

export function MembersPage() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const router = useRouter()
  const query = useQuery(membersQuery(project.id))
  const { data: members, refetch } = query
  const [inviting, setInviting] = useState(false)
  const [removingId, setRemovingId] = useState<string>()
  const removing = members?.find(({ user }) => user.id === removingId)
  const isAdmin = project.role === 'admin'
  useShortcut('create', isAdmin ? () => setInviting(true) : undefined)

  /** What one may do changes with one's own role. */
  const followOwn = async (member: Member) => {
    if (member.user.id !== session.user.id) return
    await readSessionAgain()
    await router.invalidate()
  }
  const setRole = async (member: Member, role: Role) => {
    const { state } = await setMemberRole(project.id, { member, role })
    if (state === 'saved') await followOwn(member)
  }
  const remove = async (member: Member, work: Handover | undefined) => {
    const { state } = await removeMember(project.id, { member, work })
    if (state === 'saved' && member.user.id === session.user.id)
      await leaveProject(router, { projectId: project.id, text: `You are no longer in ${project.name}.` })
  }
  /** Sessions come and go without a word, so what stops is counted again. */
  const askToRemove = (member: Member) => {
    setRemovingId(member.user.id)
    void refetch()
  }

  return (
    <SettingsPage
      title="Members"
      lead="Agents and keys act for a person and never hold more than that person’s role. Remove someone and all of it stops at once."
      actions={
        <>
          <RoleGuide />
          {isAdmin && (
            <Button look="primary" icon={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
              Invite link <Kbd keys="c" onAccent />
            </Button>
          )}
        </>
      }
    >
      <table className={css.table}>
        <thead>
          <tr>
            <th>Person</th>
            <th>Role</th>
            <th className={css.wide}>Last active</th>
            <th className={css.wide}>Sessions</th>
            <th className={css.wide}>Acts for them</th>
            <th>
              <span className="sr-only">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members?.map((member) => (
            <MemberRow
              key={member.user.id}
              member={member}
              isMe={member.user.id === session.user.id}
              isAdmin={isAdmin}
              onRole={(role) => void setRole(member, role)}
              onRemove={() => askToRemove(member)}
            />
          )) ?? <PendingRows query={query} />}
        </tbody>
      </table>
      {!isAdmin && <p className={css.foot}>Admins of the project change roles and invite people.</p>}
      {isAdmin && <PendingInvites projectId={project.id} myId={session.user.id} />}
      {members && <DangerZone />}
      {inviting && <InviteDialog projectId={project.id} onClose={() => setInviting(false)} />}
      {removing && (
        <RemoveMember
          member={removing}
          others={members!.filter(({ user }) => user.id !== removing.user.id)}
          isMe={removing.user.id === session.user.id}
          project={project}
          onConfirm={(work) => remove(removing, work)}
          onClose={() => setRemovingId(undefined)}
        />
      )}
    </SettingsPage>
  )
}

function RoleGuide() {
  return (
    <PopUp
      place="bottom-end"
      target={({ open, toggle }) => (
        <Button
          look="quiet"
          className={css.guide}
          icon={<IconShield size={16} stroke={1.75} />}
          aria-expanded={open}
          onClick={toggle}
        >
          What roles may do
        </Button>
      )}
    >
      {() => (
        <dl className={css.roles}>
          {ROLES.map(({ value, label, may }) => (
            <div key={value}>
              <dt>{label}</dt>
              <dd>{may}</dd>
            </div>
          ))}
        </dl>
      )}
    </PopUp>
  )
}
