"""The papers, one folder each: nothing below this part names one."""
