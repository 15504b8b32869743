-- The head only ever moves forward, to an entry that is there: nobody moves it by an UPDATE of its own. After the whole
-- statement, because the one that appends moves the head first. Semicolons of the body are written \073, as before.
CREATE FUNCTION "check_audit_head"() RETURNS trigger LANGUAGE plpgsql AS
E'BEGIN IF NEW.id = OLD.id AND NEW.sequence > OLD.sequence AND EXISTS (SELECT 1 FROM audit_entry WHERE sequence = NEW.sequence AND hash = NEW.hash) THEN RETURN NULL\073 END IF\073 RAISE EXCEPTION ''the audit log is append-only: % of % is refused'', TG_OP, TG_TABLE_NAME\073 END\073';

CREATE TRIGGER "audit_head_follows" AFTER UPDATE ON "audit_head"
    FOR EACH ROW EXECUTE FUNCTION "check_audit_head"();
