import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { Decide } from '../../parts/decide.tsx';
import { Code, Password, Whose } from '../../parts/fields.tsx';
import { useMe } from '../../session/session.tsx';
import { QrCode } from './qr-code.tsx';

interface Enrolment {
  readonly enrolment_id: string;
  readonly secret: string;
  readonly uri: string;
}

/** Proves who the person is, shows the secret for the app this once, and takes its first code. */
export function EnrolFactor({ close }: { readonly close: () => void }) {
  const { username, second_factor } = useMe();
  const { is_enrolled: isEnrolled } = second_factor;
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  if (enrolment !== null) return <FirstCode enrolment={enrolment} close={close} />;
  return (
    <Decide
      title={isEnrolled ? 'Replace your second factor' : 'Enrol a second factor'}
      facts={null}
      consequence={`The next step shows a secret for an authenticator app, this once. Nothing changes before the first code of it${isEnrolled ? ': until then your present factor counts.' : '.'}`}
      fields={
        <>
          <Whose name={username} />
          <Password label="Your password" name="password" />
          {isEnrolled && <Code label="Code of your present second factor" name="present_code" />}
        </>
      }
      hasOwnCode
      reason="none"
      forbidden={null}
      stale={['me']}
      close={close}
      send={async (fields) => {
        const code = fields.get('present_code');
        const answer = await answerOf(
          api.POST('/auth/admin/second-factor', {
            body: {
              current_password: String(fields.get('password')),
              ...(typeof code === 'string' ? { code } : {}),
            },
          }),
        );
        setEnrolment(answer.body);
        return answer;
      }}
    />
  );
}

function FirstCode({ enrolment, close }: { readonly enrolment: Enrolment; readonly close: () => void }) {
  const { enrolment_id, secret, uri } = enrolment;
  return (
    <Decide
      title="Confirm the first code"
      facts={
        <>
          <p>Scan this with an authenticator app, or type the secret there.</p>
          <QrCode text={uri} label="QR code of the secret for your authenticator app" />
          <dl className="facts">
            <dt>Secret</dt>
            <dd className="id">{secret}</dd>
            <dt>Address</dt>
            <dd className="id">{uri}</dd>
          </dl>
        </>
      }
      consequence="From now on, what moves money or hands out the power to asks for a code of this app. Under a four-eyes rule a second administrator has to approve it first. Lost, it is reset by another administrator."
      fields={<Code label="The app’s code now" name="first_code" />}
      hasOwnCode
      reason="none"
      forbidden={null}
      stale={['me']}
      close={close}
      send={(fields) =>
        answerOf<unknown>(
          api.PUT('/auth/admin/second-factor', {
            body: { enrolment_id, code: String(fields.get('first_code')) },
          }),
        )
      }
    />
  );
}
