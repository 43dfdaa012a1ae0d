"""The machine of ledger.yaml with its model in Python: python3 ledger.py [FILE.sql]

FILE.sql is loaded after the schema. The exit status is 1 if a property does not hold.
"""

import os
import sys

import pgfsm


class Ledger(pgfsm.Model):
    def __init__(self):
        self.amounts = {account: 100 for account in range(3)}

    @pgfsm.look
    def covers(self, payer, amount):
        return self.amounts[payer] >= amount

    @pgfsm.look
    def balances(self):
        return self.amounts

    @pgfsm.change
    def transfer(self, payer, payee, amount):
        self.amounts[payer] -= amount
        self.amounts[payee] += amount

    def show(self):
        return self.amounts


here = os.path.dirname(os.path.abspath(__file__))
with pgfsm.Database() as database, pgfsm.Machine(os.path.join(here, "ledger.yaml"), Ledger) as machine:
    with machine.run(database, apply=sys.argv[1:], seed=1) as run:
        print(run.report(), end="")
        sys.exit(run.outcome != pgfsm.PASSED)
