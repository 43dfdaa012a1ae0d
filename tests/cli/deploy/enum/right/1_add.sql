ALTER TYPE state ADD VALUE 'sent';
