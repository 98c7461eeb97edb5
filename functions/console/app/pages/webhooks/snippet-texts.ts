/*
 * Code that checks the signature of a request, for people to copy. `test/unit/functions/console/snippets.test.ts` runs
 * those whose language this machine has. A request of the last 5 minutes with any right signature is genuine: after a
 * rotation, two secrets sign.
 */

const JAVASCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

// Returns the event of a genuine request, and throws otherwise.
export function verifyWebhook(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= 300)) throw new Error('The request is too old.');

  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  const isGenuine = String(headers['webhook-signature']).split(' ').some((signature) => {
    const sent = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  if (!isGenuine) throw new Error('The signature is wrong.');
  return JSON.parse(body);
}
`;

const PYTHON = `import base64, hashlib, hmac, json, time

# Returns the event of a genuine request, and raises otherwise. body: bytes
def verify_webhook(secret, headers, body):
    message_id = headers["webhook-id"]
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("The request is too old.")

    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    for signature in headers["webhook-signature"].split(" "):
        if hmac.compare_digest(signature.encode(), f"v1,{expected}".encode()):
            return json.loads(body)
    raise ValueError("The signature is wrong.")
`;

const GO = `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify returns nil for a genuine request.
func Verify(secret string, header http.Header, body []byte) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return errors.New("the timestamp is no number")
	}
	if age := time.Since(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("the request is too old")
	}

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return nil
		}
	}
	return errors.New("the signature is wrong")
}
`;

const RUBY = `require "base64"
require "json"
require "openssl"

# Returns the event of a genuine request, and raises otherwise.
def verify_webhook(secret, headers, body)
  id = headers["webhook-id"]
  timestamp = headers["webhook-timestamp"]
  raise "The request is too old." if (Time.now.to_i - Integer(timestamp)).abs > 300

  key = Base64.decode64(secret.delete_prefix("whsec_"))
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}")
  expected = "v1,#{Base64.strict_encode64(digest)}"
  genuine = headers["webhook-signature"].split(" ").any? do |signature|
    signature.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(signature, expected)
  end
  raise "The signature is wrong." unless genuine

  JSON.parse(body)
end
`;

export const SNIPPETS = { JavaScript: JAVASCRIPT, Python: PYTHON, Go: GO, Ruby: RUBY } as const;
export type Language = keyof typeof SNIPPETS;
