-- The notices of one document as they stand, one table for each that it is merged into.
CREATE TEMP TABLE s_offering ON COMMIT DROP AS SELECT $offering_columns$ FROM catalog.offerings WITH NO DATA;
CREATE TEMP TABLE s_issuer ON COMMIT DROP AS SELECT $issuer_columns$ FROM catalog.offering_issuers WITH NO DATA;
CREATE TEMP TABLE s_person ON COMMIT DROP AS SELECT $person_columns$ FROM catalog.offering_people WITH NO DATA;
CREATE TEMP TABLE s_recipient ON COMMIT DROP AS SELECT $recipient_columns$ FROM catalog.offering_recipients WITH NO DATA;
