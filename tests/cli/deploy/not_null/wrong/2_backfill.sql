UPDATE orders SET status = 'new' WHERE status IS NULL;
