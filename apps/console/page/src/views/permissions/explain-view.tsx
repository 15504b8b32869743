import { useState, type FormEvent } from 'react';
import { useExplanation } from '../../api/permission-queries.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { ACTIONS, SUBJECTS, pathOfQuestion, questionIn, type Question } from '../../permissions/question.js';
import { navigate, useAddress } from '../../routing.js';
import { Decision, DecidingRecords } from './explanation.js';
import { WithoutPermissions } from './without-permissions.js';

/** Why a permission is given or refused. The question is in the address. */
export function ExplainView({ node }: { readonly node: string }) {
  const { search, searchParams } = useAddress();
  const question = questionIn(searchParams);
  return (
    <>
      <nav aria-label="Permissions" className="pages">
        <Link to="/permissions">All organizations</Link>
      </nav>
      <h1>Why is it permitted or refused?</h1>
      <QuestionForm key={search} asked={question} />
      <section aria-labelledby="answer" aria-live="polite">
        <h2 id="answer">Answer</h2>
        {question === undefined ? (
          <p className="empty">Ask about an account, a node or an organization.</p>
        ) : (
          <Answer node={node} question={question} />
        )}
      </section>
    </>
  );
}

function Answer({ node, question }: { readonly node: string; readonly question: Question }) {
  const query = useExplanation(node, question);
  return (
    <Loaded query={query}>
      {(found) =>
        found === null ? (
          <WithoutPermissions />
        ) : (
          <>
            <Decision explanation={found} />
            <h3>Records that it was read from</h3>
            <DecidingRecords records={found.records} />
          </>
        )
      }
    </Loaded>
  );
}

const IDS = {
  account: 'Address of the account',
  node: 'Enode URL or id of the node',
  org: 'Full id of the organization',
} as const;

type Subject = Question['subject'];

function SubjectChoice(props: { readonly subject: Subject; readonly onChange: (subject: Subject) => void }) {
  const { subject, onChange } = props;
  return (
    <label>
      About{' '}
      <select
        value={subject}
        onChange={({ target }) => onChange(SUBJECTS.find((one) => one === target.value) ?? 'account')}
      >
        {SUBJECTS.map((one) => (
          <option key={one} value={one}>
            {one === 'org' ? 'an organization' : one === 'node' ? 'a node' : 'an account'}
          </option>
        ))}
      </select>
    </label>
  );
}

function QuestionForm({ asked }: { readonly asked: Question | undefined }) {
  const [subject, setSubject] = useState(asked?.subject ?? 'account');
  const [id, setId] = useState(asked?.id ?? '');
  const [action, setAction] = useState(asked?.action ?? '');
  const [to, setTo] = useState(asked?.to ?? '');
  const actions = ACTIONS[subject];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = actions.find((one) => one === action) ?? actions[0];
    navigate(pathOfQuestion({ subject, id: id.trim(), action: chosen, to: to.trim() || undefined }));
  };
  return (
    <form className="question" onSubmit={submit}>
      <SubjectChoice subject={subject} onChange={setSubject} />
      <label>
        {IDS[subject]}{' '}
        <input type="text" required value={id} onChange={({ target }) => setId(target.value)} />
      </label>
      {actions.length > 1 && (
        <label>
          Action{' '}
          <select value={action} onChange={({ target }) => setAction(target.value)}>
            {actions.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      {subject === 'account' && (
        <label>
          Recipient, if it matters{' '}
          <input type="text" value={to} onChange={({ target }) => setTo(target.value)} />
        </label>
      )}
      <button type="submit">Ask</button>
    </form>
  );
}
