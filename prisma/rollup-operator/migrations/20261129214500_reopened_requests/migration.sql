-- A batch that only credited an account answered the request of its holder, here and not in the contract, and the request was not served
-- any more. What no operation of the account has answered, as its last final batch left it, is open again. Services may run meanwhile:
-- what answers a request is final before the request is answered, and stays so.
UPDATE "requested_operation" AS "dropped" SET "answered" = false, "failure" = NULL
  FROM (
        SELECT "request"."block_number", "request"."log_index"
          FROM "requested_operation" AS "request"
         CROSS JOIN LATERAL (
               SELECT "version"."nonce", "version"."batch_height" AS "height"
                 FROM "account_version" AS "version" JOIN "batch" ON "batch"."height" = "version"."batch_height"
                WHERE "version"."account_id" = "request"."account_id" AND "batch"."state" = 'final'
                ORDER BY "version"."batch_height" DESC LIMIT 1) AS "latest"
         WHERE "request"."answered"
           AND NOT CASE WHEN "latest"."nonce" IS NOT NULL THEN "latest"."nonce" >= "request"."nonce"
                        ELSE EXISTS (SELECT FROM "operation" AS "made"
                                      WHERE "made"."account_id" = "request"."account_id" AND "made"."kind" IN (2, 3, 4, 6)
                                        AND "made"."nonce" >= "request"."nonce" AND "made"."status" = 'EXECUTED'
                                        AND "made"."batch_height" <= "latest"."height")
                          OR EXISTS (SELECT FROM "opaque_place" AS "place"
                                      WHERE "place"."account_id" = "request"."account_id" AND "place"."kind" IN (2, 3, 4, 6)
                                        AND "place"."batch_height" > "request"."height"
                                        AND "place"."batch_height" <= "latest"."height") END
       ) AS "open"
 WHERE "dropped"."block_number" = "open"."block_number" AND "dropped"."log_index" = "open"."log_index";

-- Another operation of the account came first, in a batch that may have been taken back since.
UPDATE "requested_operation" SET "failure" = NULL WHERE NOT "answered" AND "failure" = 'NONCE_TOO_LOW';
