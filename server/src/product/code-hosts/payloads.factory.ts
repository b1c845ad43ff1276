/** Deliveries as GitHub and GitLab document them, shortened. */

const repository = {
  id: 186853002,
  name: 'Hello-World',
  full_name: 'Codertocat/Hello-World',
  html_url: 'https://github.com/Codertocat/Hello-World',
  default_branch: 'master',
}

export const githubPush = (message: string, ref = 'refs/heads/master') => ({
  ref,
  before: '0000000000000000000000000000000000000000',
  after: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  repository,
  pusher: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com' },
  sender: { login: 'Codertocat', id: 21031067, type: 'User' },
  created: true,
  deleted: false,
  forced: false,
  base_ref: null,
  compare: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  commits: [
    {
      id: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      tree_id: '31b122c26a97cf9af023e9ddab94a82c6e77b0ea',
      distinct: true,
      message,
      timestamp: '2019-05-15T15:19:25Z',
      url: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      author: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com', username: 'Codertocat' },
      added: ['README.md'],
      removed: [],
      modified: ['src/total.ts'],
    },
  ],
  head_commit: { id: '6113728f27ae82c7b1a177c8d03f9e96e0adf246', message },
})

export const githubPullRequest = (action: string, pull: Record<string, unknown> = {}) => ({
  action,
  number: 2,
  pull_request: {
    url: 'https://api.github.com/repos/Codertocat/Hello-World/pulls/2',
    id: 279147437,
    html_url: 'https://github.com/Codertocat/Hello-World/pull/2',
    number: 2,
    state: action === 'closed' ? 'closed' : 'open',
    locked: false,
    title: 'Update the README with new information.',
    user: { login: 'Codertocat', id: 21031067, type: 'User' },
    body: 'This is a pretty simple change that we need to pull into master.',
    created_at: '2019-05-15T15:20:33Z',
    updated_at: '2019-05-15T15:21:18Z',
    merged_at: null,
    merge_commit_sha: 'c4295bd74fb0f4fda03689c3df3f2803b658fd85',
    head: { label: 'Codertocat:changes', ref: 'changes', sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821' },
    base: { label: 'Codertocat:master', ref: 'master', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e' },
    draft: false,
    merged: false,
    mergeable: true,
    commits: 1,
    ...pull,
  },
  repository,
  sender: { login: 'Codertocat', id: 21031067, type: 'User' },
})

const project = {
  id: 15,
  name: 'Diaspora',
  web_url: 'http://example.com/mike/diaspora',
  namespace: 'Mike',
  path_with_namespace: 'mike/diaspora',
  default_branch: 'master',
}

export const gitlabPush = (message: string) => ({
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/master',
  checkout_sha: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  user_id: 4,
  user_name: 'John Smith',
  user_username: 'jsmith',
  project_id: 15,
  project,
  commits: [
    {
      id: 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
      message: `${message}\n\nSee https://gitlab.com/gitlab-org/gitlab for more information`,
      title: message,
      timestamp: '2011-12-12T14:27:31+02:00',
      url: 'http://example.com/mike/diaspora/commit/b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
      author: { name: 'Jordi Mallach', email: 'jordi@softcatala.org' },
      added: ['CHANGELOG'],
      modified: ['app/controller/application.rb'],
      removed: [],
    },
  ],
  total_commits_count: 1,
})

export const gitlabMergeRequest = (action: string, attributes: Record<string, unknown> = {}, changes = {}) => ({
  object_kind: 'merge_request',
  event_type: 'merge_request',
  user: { id: 1, name: 'Administrator', username: 'root', email: 'admin@example.com' },
  project,
  object_attributes: {
    id: 99,
    iid: 1,
    target_branch: 'master',
    source_branch: 'ms-viewport',
    title: 'MS-Viewport',
    created_at: '2013-12-03T17:23:34Z',
    updated_at: '2013-12-03 17:23:34 UTC',
    state: action === 'merge' ? 'merged' : 'opened',
    description: '',
    url: 'http://example.com/mike/diaspora/merge_requests/1',
    draft: false,
    work_in_progress: false,
    action,
    ...attributes,
  },
  changes,
})
