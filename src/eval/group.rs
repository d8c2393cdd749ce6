//! Groups: one pool of several kinds of dice, or members side by side. They stand apart because a member has labels and
//! successes of its own until it is kept.

use super::Eval;
use super::pool::{Pool, Work, sum};
use super::store::{Place, Thrown};
use crate::ast::{Group, Kind, Node, Span};
use crate::error::Error;
use crate::faces::Faces;
use crate::roll::{Marks, Member, NONE, State};

impl<F: Faces + ?Sized> Eval<'_, F> {
    /// A group: one pool of several kinds of dice, or members side by side.
    pub(super) fn group(&mut self, group: &Group, span: Span) -> Result<Pool, Error> {
        if let [member] = &group.members[..] {
            let mut live = Vec::new();
            let mut labels = Vec::new();
            self.gather(member, &mut live, &mut labels, None)?;
            let mut work = Work::new(live, None);
            self.steps(&mut work, &group.steps, &mut Place::Thrown)?;
            for (text, owners) in labels {
                let owned =
                    |index: &&u32| self.out.run(**index).is_some_and(|run| owners.contains(&run.owner));
                let dice: Vec<u32> = work.live.iter().filter(owned).copied().collect();
                let subtotal = sum(&Thrown(self.out), &dice, span)?;
                self.subtotal(text, subtotal, span)?;
            }
            return self.finish(work, &mut Place::Thrown, span);
        }
        let mut live = Vec::with_capacity(group.members.len());
        for node in &group.members {
            let member = self.member(group.id, node)?;
            live.push(u32::try_from(self.out.members.len()).unwrap_or(NONE));
            self.out.members.push(member);
        }
        let mut work = Work::new(live, None);
        let members = work.live.clone();
        self.steps(&mut work, &group.steps, &mut Place::Members)?;
        self.inherit(&members, work.net.is_none(), span)?;
        self.finish(work, &mut Place::Members, span)
    }

    /// One member of a group, rolled. Its labels and successes are its own until it is kept.
    fn member(&mut self, group: u32, node: &Node) -> Result<Member, Error> {
        let (die, member) = (self.next_index(), self.out.members.len());
        let (tally, labels) = (self.out.tally.take(), std::mem::take(&mut self.out.labels));
        let worth = self.number(node)?;
        let index = |len: usize| u32::try_from(len).unwrap_or(NONE);
        Ok(Member {
            group,
            worth,
            marks: Marks::default(),
            by: NONE,
            dice: die..self.next_index(),
            members: index(member)..index(self.out.members.len()),
            labels: std::mem::replace(&mut self.out.labels, labels),
            tally: std::mem::replace(&mut self.out.tally, tally),
        })
    }

    /// Takes over the labels, and where the group does not count itself the successes, of the members that are kept.
    fn inherit(&mut self, members: &[u32], tallies: bool, span: Span) -> Result<(), Error> {
        for index in members {
            let member = &mut self.out.members[*index as usize];
            if member.marks.state() != State::Kept {
                continue;
            }
            let (labels, tally) = (std::mem::take(&mut member.labels), member.tally);
            for (text, value) in labels {
                self.subtotal(&text, value, span)?;
            }
            if let Some(tally) = tally.filter(|_| tallies) {
                self.tally(Some(0), tally);
            }
        }
        Ok(())
    }

    /// The dice of a sum of pools, as one pool.
    fn gather<'n>(
        &mut self,
        node: &'n Node,
        live: &mut Vec<u32>,
        labels: &mut Vec<(&'n str, Vec<u32>)>,
        label: Option<&'n str>,
    ) -> Result<(), Error> {
        match &node.kind {
            Kind::Dice(dice) => {
                let pool = self.dice(dice, node.span)?;
                live.extend(pool.live);
                if let Some(text) = label {
                    match labels.iter_mut().find(|(known, _)| *known == text) {
                        Some((_, owners)) => owners.push(dice.id),
                        None => labels.push((text, vec![dice.id])),
                    }
                }
                Ok(())
            }
            Kind::Chain(chain) => {
                self.gather(&chain.first, live, labels, label)?;
                chain.rest.iter().try_for_each(|link| self.gather(&link.operand, live, labels, label))
            }
            Kind::Label(inner) => self.gather(&inner.inner, live, labels, Some(&inner.text)),
            Kind::Number(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Power(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => Err(crate::lower::internal(node.span)),
        }
    }
}
