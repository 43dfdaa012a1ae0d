CREATE OR REPLACE FUNCTION relist_item(item text) RETURNS void
LANGUAGE sql AS $$
    UPDATE stock SET listed = true, frozen = false WHERE sku = item
$$;
